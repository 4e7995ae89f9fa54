import { Checkbox, Table, UnstyledButton } from '@mantine/core';
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The value of the route's `sort` that orders by it; the greatest first with a `-` before it. */
  sort?: string;
  /** What sorts first where the header is pressed first. */
  firstSort?: 'ascending' | 'descending';
  align?: 'right';
  /** Left out until the reader chooses it. */
  isExtra?: boolean;
}

export interface Selection {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
}

interface Props<Row> {
  /** What the table holds, for readers of screens. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  nameOf?: (row: Row) => string;
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  selection?: Selection | undefined;
  /** The rows are of the question before, while the answer to this one is awaited. */
  isStale?: boolean;
}

/** A table whose rows the service filters, sorts and pages: here they are only shown. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, idOf, isStale = false } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={classes.scroll} aria-label={label} tabIndex={0} aria-busy={isStale}>
      <Table
        highlightOnHover
        verticalSpacing="xs"
        className={classes.table}
        data-stale={isStale || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {props.selection && <SelectAll {...props} selection={props.selection} />}
            {columns.map((column) => (
              <Header key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={idOf(row)} data-selected={props.selection?.ids.has(idOf(row)) || undefined}>
              {props.selection && <Select {...props} row={row} selection={props.selection} />}
              {columns.map(({ id, cell, align }) => (
                <Table.Td key={id} ta={align}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Header<Row>({
  column: { header, sort: by, firstSort = 'ascending', align },
  sort,
  onSort,
}: Pick<Props<Row>, 'sort' | 'onSort'> & { column: Column<Row> }) {
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

/** One order, the other, none. */
function nextSort(by: string, order: string | undefined, first: 'ascending' | 'descending') {
  const of = { ascending: by, descending: `-${by}` };
  if (order === undefined) return of[first];
  return order === first ? of[first === 'ascending' ? 'descending' : 'ascending'] : undefined;
}

function SelectAll<Row>({ rows, idOf, selection }: Props<Row> & { selection: Selection }) {
  const ids = rows.map(idOf);
  const count = ids.filter((id) => selection.ids.has(id)).length;
  return (
    <Table.Th w={40}>
      <Checkbox
        aria-label="Select all on this page"
        checked={count > 0 && count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={({ currentTarget: { checked } }) => {
          const after = new Set(selection.ids);
          for (const id of ids) checked ? after.add(id) : after.delete(id);
          selection.set(after);
        }}
      />
    </Table.Th>
  );
}

function Select<Row>({ row, idOf, nameOf, selection }: Props<Row> & { row: Row; selection: Selection }) {
  const id = idOf(row);
  return (
    <Table.Td>
      <Checkbox
        aria-label={`Select ${nameOf?.(row) ?? id}`}
        checked={selection.ids.has(id)}
        onChange={({ currentTarget: { checked } }) => {
          const after = new Set(selection.ids);
          checked ? after.add(id) : after.delete(id);
          selection.set(after);
        }}
      />
    </Table.Td>
  );
}
