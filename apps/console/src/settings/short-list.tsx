import { Paper } from '@mantine/core';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Pager } from '../parts/pager.tsx';
import type { Pages } from '../parts/use-pages.ts';

/** A list with a pager only if it has several pages. */
export function ShortList<Row extends { id: string }>({
  label,
  columns,
  rows,
  pages,
  isStale,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  pages: Pages;
  isStale: boolean;
}) {
  return (
    <Paper withBorder p="sm">
      <DataTable label={label} columns={columns} rows={rows} idOf={({ id }) => id} isStale={isStale} />
      {(pages.next || pages.cursor !== undefined) && <Pager pages={pages} shown={rows.length} />}
    </Paper>
  );
}
