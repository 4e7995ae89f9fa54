import { stringify } from 'csv-stringify/sync';

export type CsvCell = string | number | null | undefined;

/** Of the values in a cell. Spreadsheets of some languages take it for the separator of cells. */
const SEPARATOR = ';';
/** Where a spreadsheet would begin a formula, also if it splits a cell at semicolons, and then at line breaks too. */
const FORMULA = /(^|[;\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/g;
/** A line break within a cell is one, whichever it is; the library looks for the one that ends rows. */
const QUOTED = /[;\r\n]/;

/** Several values in one cell. */
export const csvList = (values: readonly string[]): string => values.join(SEPARATOR);

/**
 * RFC 4180. An apostrophe precedes what a spreadsheet would interpret as a formula, in the beginning of a text and after
 * each semicolon and line break: `=`, `+`, `-` and `@`, also in full width, a tab and a carriage return.
 */
export const csvRows = (rows: readonly (readonly CsvCell[])[]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell.replace(FORMULA, "$1'") : cell))),
    { record_delimiter: 'windows', quoted_match: QUOTED },
  );
