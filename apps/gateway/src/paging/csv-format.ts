import { type CsvCell, csvRows } from '#libs/csv';
import type { ExportFormat } from './export-format.ts';

/**
 * CSV with a header row.
 * @param cells column → the value of an item; in the order of columns
 */
export function csvFormat<T>(cells: Record<string, (item: T) => CsvCell>): ExportFormat<T> {
  const columns = Object.entries(cells);
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    beginning: () => csvRows([columns.map(([name]) => name)]),
    items: (items) => csvRows(items.map((item) => columns.map(([, cell]) => cell(item)))),
    end: () => '',
  };
}
