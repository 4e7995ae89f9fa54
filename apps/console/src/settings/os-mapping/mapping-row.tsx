import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Table, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { list } from '../../language/format.ts';
import { type FindingType, typeNames } from '../../parts/finding-type.ts';
import { MoveButtons } from '../move-buttons.tsx';
import type { RowActs } from '../ordered-rows.ts';
import { RowAct } from '../row-act.tsx';
import type { Row } from './mapping.ts';
import classes from './os-mapping.module.css';

export function typesOf(types: readonly FindingType[]): string {
  const names = typeNames();
  return types.length === 0
    ? t`no findings`
    : list(
        types.map((type) => names[type]),
        'unit',
      );
}

/** Memoized, because lists have hundreds of rows. */
export const MappingRow = memo(function MappingRow({
  row,
  number,
  isLast,
  isMatch,
  error,
  acts,
}: {
  row: Row;
  number: number;
  isLast: boolean;
  isMatch: boolean;
  error: string | undefined;
  /** Null if the user cannot change the list. */
  acts: RowActs<Row> | null;
}) {
  const { osPattern } = row;
  return (
    <Table.Tr
      className={classes.row}
      data-match={isMatch || undefined}
      data-error={error !== undefined || undefined}
    >
      <Table.Td>{number}</Table.Td>
      <Table.Td>
        <code dir="ltr">{osPattern}</code>
        {isMatch && (
          <Text span size="xs" fw={600} ms="xs">
            <Trans context="the pattern of a row matches the tested name">matches</Trans>
          </Text>
        )}
        {error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <bdi>{row.assetType}</bdi>
      </Table.Td>
      <Table.Td>
        <bdi>{row.attackSurface}</bdi>
      </Table.Td>
      <Table.Td>
        <Text size="xs" c="dimmed">
          {typesOf(row.supports)}
        </Text>
      </Table.Td>
      {acts && (
        <Table.Td>
          <Group gap={0} wrap="nowrap" justify="flex-end">
            <MoveButtons
              id={row.id}
              labels={{ up: t`Move ${osPattern} up`, down: t`Move ${osPattern} down` }}
              isFirst={number === 1}
              isLast={isLast}
              onMove={acts.move}
            />
            <RowAct label={t`Change ${osPattern}`} onClick={() => acts.edit(row, number - 1)}>
              <IconPencil size={16} aria-hidden />
            </RowAct>
            <RowAct label={t`Remove ${osPattern}`} onClick={() => acts.remove(row.id)}>
              <IconTrash size={16} aria-hidden />
            </RowAct>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
});
