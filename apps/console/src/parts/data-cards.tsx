import { t } from '@lingui/core/macro';
import { Group, NativeSelect, Paper } from '@mantine/core';
import classes from './data-cards.module.css';
import type { Column, DataTableProps } from './data-table-props.ts';
import { SelectAll, SelectOne } from './row-selection.tsx';

/** Table rows as cards, for narrow screens. */
export function DataCards<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, nameOf = idOf, selection, isStale = false } = props;
  const title = columns.find(({ isTitle }) => isTitle);
  return (
    <section aria-label={label} aria-busy={isStale}>
      <Group justify="space-between" mb="xs">
        {selection && <SelectAll ids={rows.map(idOf)} selection={selection} label={t`All on this page`} />}
        <SortChoice {...props} />
      </Group>
      <ul className={classes.cards} data-stale={isStale || undefined}>
        {rows.map((row) => (
          <Paper component="li" withBorder p="sm" key={idOf(row)}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              {selection && <SelectOne id={idOf(row)} name={nameOf(row)} selection={selection} />}
              <div className={classes.title}>{title?.cell(row)}</div>
            </Group>
            <dl className={classes.facts}>
              {columns
                .filter(({ isTitle }) => !isTitle)
                .map(({ id, header, cell }) => (
                  <div key={id}>
                    <dt>{header}</dt>
                    <dd>{cell(row)}</dd>
                  </div>
                ))}
            </dl>
          </Paper>
        ))}
      </ul>
    </section>
  );
}

/** Sort control, because cards have no column headers. */
function SortChoice<Row>({ columns, sort, onSort }: DataTableProps<Row>) {
  if (!onSort) return null;
  const orders = columns.flatMap(ordersOf);
  const isOffered = orders.some(({ value }) => value === sort);
  return (
    <NativeSelect
      size="xs"
      aria-label={t`Sort by`}
      value={sort ?? ''}
      onChange={({ currentTarget: { value } }) => onSort(value || undefined)}
      data={isOffered ? orders : [{ value: sort ?? '', label: t`Sort by` }, ...orders]}
    />
  );
}

function ordersOf<Row>({ sort, header, firstSort }: Column<Row>) {
  if (sort === undefined) return [];
  const orders = [
    { value: sort, label: t`${header}, ascending` },
    { value: `-${sort}`, label: t`${header}, descending` },
  ];
  return firstSort === 'descending' ? orders.reverse() : orders;
}
