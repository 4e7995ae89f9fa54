import { stringify } from 'csv-stringify/sync';
import type { ExportFormat } from './export-format.ts';

export type CsvCell = string | number | null;

const SEPARATOR = ';';
/** A line break within a cell is one, whichever it is; the library looks for the one that ends rows. */
const LINE_BREAK = /[\r\n]/;

/** Several values in one cell. */
export const csvList = (values: readonly string[]): string => values.join(SEPARATOR);

/**
 * RFC 4180 with a header row. A cell that a spreadsheet would interpret as a formula, one that begins with `=`, `+`,
 * `-`, `@`, a tab or a carriage return, begins with an apostrophe.
 * @param cells column → the value of an item; in the order of columns
 */
export function csvFormat<T>(cells: Record<string, (item: T) => CsvCell>): ExportFormat<T> {
  const columns = Object.entries(cells);
  const rows = (all: CsvCell[][]) =>
    stringify(all, { record_delimiter: 'windows', quoted_match: LINE_BREAK, escape_formulas: true });
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    beginning: () => rows([columns.map(([name]) => name)]),
    items: (items) => rows(items.map((item) => columns.map(([, cell]) => cell(item)))),
    end: () => '',
  };
}
