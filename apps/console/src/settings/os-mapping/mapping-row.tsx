import { t } from '@lingui/core/macro';
import { Group, Table, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { type FindingType, typeNames } from '../../parts/finding-type.ts';
import { MoveButtons } from '../move-buttons.tsx';
import { RowAct } from '../row-act.tsx';
import type { Row } from './mapping.ts';
import classes from './os-mapping.module.css';

export const typesOf = (types: readonly FindingType[]): string =>
  types.length === 0 ? t`no findings` : types.map((type) => typeNames()[type]).join(', ');

export interface RowActs {
  edit: (id: number) => void;
  move: (id: number, step: -1 | 1) => void;
  remove: (id: number) => void;
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
  acts: RowActs | null;
}) {
  return (
    <Table.Tr
      className={classes.row}
      data-match={isMatch || undefined}
      data-error={error !== undefined || undefined}
    >
      <Table.Td>{number}</Table.Td>
      <Table.Td>
        <code>{row.osPattern}</code>
        {isMatch && (
          <Text span size="xs" fw={600} ml="xs">
            matches
          </Text>
        )}
        {error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{row.assetType}</Table.Td>
      <Table.Td>{row.attackSurface}</Table.Td>
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
              name={row.osPattern}
              isFirst={number === 1}
              isLast={isLast}
              onMove={acts.move}
            />
            <RowAct label={t`Change ${row.osPattern}`} onClick={() => acts.edit(row.id)}>
              <IconPencil size={16} aria-hidden />
            </RowAct>
            <RowAct label={t`Remove ${row.osPattern}`} onClick={() => acts.remove(row.id)}>
              <IconTrash size={16} aria-hidden />
            </RowAct>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
});
