import { Table, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { memo } from 'react';
import { DataCards } from './data-cards.tsx';
import classes from './data-table.module.css';
import type { Column, DataTableProps } from './data-table-props.ts';
import { SelectAll, SelectOne } from './row-selection.tsx';
import { useIsWider } from './use-is-wider.ts';

const NARROW = '(max-width: 48em)';

/** A table. The service filters, sorts and pages its rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  return isNarrow && props.hasCards ? <DataCards {...props} /> : <WideTable {...props} />;
}

function WideTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, selection, isStale = false } = props;
  const [place, isWide] = useIsWider<HTMLElement>();
  return (
    <section
      ref={place}
      data-wide={isWide || undefined}
      className={classes.scroll}
      data-framed={props.hasCards}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
      tabIndex={0}
      aria-busy={isStale}
    >
      <Table verticalSpacing="xs" className={classes.table} data-stale={isStale || undefined}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <SelectAll ids={rows.map(idOf)} selection={selection} />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Header key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Body {...props} />
      </Table>
    </section>
  );
}

/**
 * The most expensive part of a table: plain elements, rendered again only if rows, columns or the selection change.
 */
const Body = memo(
  Rows,
  (before, after) =>
    before.rows === after.rows &&
    before.columns === after.columns &&
    before.selection?.ids === after.selection?.ids,
) as typeof Rows;

function Rows<Row>({ columns, rows, idOf, nameOf = idOf, selection }: DataTableProps<Row>) {
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={idOf(row)} data-selected={selection?.ids.has(idOf(row)) || undefined}>
          {selection && (
            <td>
              <SelectOne id={idOf(row)} name={nameOf(row)} selection={selection} />
            </td>
          )}
          {columns.map(({ id, cell, align }) => (
            <td key={id} data-align={align}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Header<Row>({
  column: { header, sort: by, firstSort = 'ascending', align },
  sort,
  onSort,
}: Pick<DataTableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> }) {
  if (by === undefined || !onSort) return <Table.Th ta={align}>{header}</Table.Th>;
  const order = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  const Icon = { ascending: IconSortAscending, descending: IconSortDescending, none: IconArrowsSort }[
    order ?? 'none'
  ];
  return (
    <Table.Th aria-sort={order ?? 'none'} ta={align}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(nextSort(by, order, firstSort))}>
        {header}
        <Icon size={14} aria-hidden className={order ? undefined : classes.unsorted} />
      </UnstyledButton>
    </Table.Th>
  );
}

/** Cycles through first order, opposite order, no order. */
function nextSort(by: string, order: string | undefined, first: 'ascending' | 'descending') {
  const of = { ascending: by, descending: `-${by}` };
  if (order === undefined) return of[first];
  return order === first ? of[first === 'ascending' ? 'descending' : 'ascending'] : undefined;
}
