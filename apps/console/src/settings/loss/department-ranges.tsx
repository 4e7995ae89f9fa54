import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete, Button, Group, Paper, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { DraftDepartment } from './loss-draft.ts';
import { RangeTable } from './range-table.tsx';

/** Own ranges of a department; an empty range is that of all departments. */
export function DepartmentRanges({
  of: { id, department, ranges },
  names,
  errors,
  onChange,
  onRemove,
}: {
  of: DraftDepartment;
  /** Names to select from. */
  names: readonly string[];
  /** Messages by path; '' for the department as a whole. */
  errors: Readonly<Record<string, string>>;
  /** Null if the user cannot change them. */
  onChange: ((department: DraftDepartment) => void) | null;
  onRemove: () => void;
}) {
  const isNamed = department.trim() !== '';
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={isNamed ? t`Loss ranges of ${department}` : t`Loss ranges of new department`}
    >
      {onChange ? (
        <Group align="flex-end" justify="space-between" mb="sm">
          <Autocomplete
            label={t`Department`}
            value={department}
            onChange={(changed) => onChange({ id, department: changed, ranges })}
            data={[...new Set(names)]}
            limit={20}
            error={errors.department ?? errors['']}
            miw={280}
          />
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={onRemove}
            aria-label={
              isNamed ? t`Remove the ranges of ${department}` : t`Remove the ranges of new department`
            }
          >
            <Trans>Remove</Trans>
          </Button>
        </Group>
      ) : (
        <Title order={3} size="h5" mb="sm">
          <bdi>{department}</bdi>
        </Title>
      )}
      <RangeTable
        label={isNamed ? t`Losses of ${department}` : t`Losses of new department`}
        of={isNamed ? department : t`new department`}
        ranges={ranges}
        errors={errors}
        none={t`as all departments`}
        onChange={onChange && ((changed) => onChange({ id, department, ranges: changed }))}
      />
    </Paper>
  );
}
