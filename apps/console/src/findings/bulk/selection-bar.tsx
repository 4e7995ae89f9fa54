import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Menu, Paper, Text, Tooltip } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { number } from '../../language/format.ts';
import { useMay } from '../../session/session.ts';
import type { FindingFilter } from '../filter-names.ts';
import type { Finding } from '../finding-columns.tsx';
import { TRIAGE_ACTS } from '../triage/acts.ts';
import type { TriageAct } from '../triage/triage-act.ts';
import { ACCEPT, REVERT, type Target, whyNotAllMatching } from './bulk-act.tsx';
import { bulkFilterOf, statesIn } from './bulk-filter.ts';
import classes from './selection-bar.module.css';

export interface ChosenAct {
  of: 'accept' | 'revert' | 'plan' | 'whatIf' | TriageAct;
  target: Target;
}

interface Props {
  chosen: readonly Finding[];
  filter: FindingFilter;
  total: number | undefined;
  /** More findings match than this page shows. */
  hasMore: boolean;
  /** The whole page is selected. */
  isPageChosen: boolean;
  /** All that match are selected. */
  isAll: boolean;
  onAct: (act: ChosenAct) => void;
  onSelectAll: () => void;
  onClear: () => void;
}

/** Actions on the selected findings, and the option to select all matching findings. */
export function SelectionBar({
  chosen,
  filter,
  total,
  hasMore,
  isPageChosen,
  isAll,
  onAct,
  onSelectAll,
  onClear,
}: Props) {
  const mayAccept = useMay('findings:accept');
  const mayTriage = useMay('findings:triage');
  const mayReadScores = useMay('scores:read');
  const target: Target = isAll
    ? { kind: 'matching', filter: bulkFilterOf(filter), states: statesIn(filter), total }
    : { kind: 'chosen', findings: chosen };
  const all = total === undefined ? undefined : number(total);
  return (
    <Paper className={classes.bar} withBorder p="xs" px="md" role="region" aria-label={t`Selection`}>
      <Group gap="sm">
        <Text size="sm" fw={550} role="status">
          {isAll
            ? allSelectedText(all)
            : plural(chosen.length, { one: '# finding selected', other: '# findings selected' })}
        </Text>
        {isPageChosen && hasMore && !isAll && (
          <Button size="compact-sm" variant="subtle" onClick={onSelectAll}>
            {all === undefined ? t`Select all that match` : t`Select all ${all} that match`}
          </Button>
        )}
        <Group gap="xs" ms="auto">
          {mayReadScores && (
            <ActButton label={t`What if …`} onClick={() => onAct({ of: 'whatIf', target })} />
          )}
          {mayTriage && <ActButton label={t`Plan …`} onClick={() => onAct({ of: 'plan', target })} />}
          {mayTriage && (
            <TriageMenu
              isDisabled={isAll && Object.keys(filter).length === 0}
              onAct={(of) => onAct({ of, target })}
            />
          )}
          {(mayAccept ? (['accept', 'revert'] as const) : []).map((of) => (
            <ActButton
              key={of}
              label={of === 'accept' ? t`Accept …` : t`Revert …`}
              whyNot={isAll ? whyNotAllMatching(of === 'accept' ? ACCEPT : REVERT, filter) : null}
              onClick={() => onAct({ of, target })}
            />
          ))}
          <Button size="xs" variant="subtle" onClick={onClear}>
            <Trans>Clear selection</Trans>
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

const allSelectedText = (all: string | undefined): string =>
  all === undefined ? t`All that match are selected` : t`All ${all} that match are selected`;

/** The service requires at least one condition. */
function TriageMenu({ isDisabled, onAct }: { isDisabled: boolean; onAct: (act: TriageAct) => void }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={isDisabled}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <Trans>Triage</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {TRIAGE_ACTS.map((act) => (
          <Menu.Item key={act.name} onClick={() => onAct(act)}>
            {act.label()} …
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ActButton({
  label,
  whyNot = null,
  onClick,
}: {
  label: string;
  whyNot?: string | null;
  onClick: () => void;
}) {
  return (
    <Tooltip
      label={whyNot}
      disabled={whyNot === null}
      multiline
      maw={300}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        size="xs"
        variant="default"
        data-disabled={whyNot !== null || undefined}
        aria-disabled={whyNot !== null}
        onClick={whyNot === null ? onClick : undefined}
      >
        {label}
      </Button>
    </Tooltip>
  );
}
