import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { Column } from './data-table-props.ts';

/** The visible columns, stored in this browser, and a control to select them. */
export function useColumns<Row>(
  table: string,
  all: readonly Column<Row>[],
): { columns: readonly Column<Row>[]; chooser: ReactNode } {
  const [selected, setShown] = useLocalStorage<string[] | null>({
    key: `posture-columns-${table}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const shown = useMemo(
    () => selected ?? all.filter(({ isExtra }) => !isExtra).map(({ id }) => id),
    [all, selected],
  );
  const chooser = (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} aria-hidden />}>
          <Trans>Columns</Trans>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          value={shown}
          onChange={(ids) => ids.length > 0 && setShown(ids)}
          label={t`Visible columns`}
        >
          <Stack gap="xs" mt="xs">
            {all.map(({ id, header, isTitle }) => (
              <Checkbox key={id} value={id} label={header} disabled={isTitle} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
  const columns = useMemo(() => all.filter(({ id, isTitle }) => isTitle || shown.includes(id)), [all, shown]);
  return { columns, chooser };
}
