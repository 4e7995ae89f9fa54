import { type CsvRow, readCsv } from '#libs/readers';
import { type CsvDelimiter, delimiterOf } from './csv-header.ts';
import type { ReportFile } from './report-file.ts';
import { failOf, UnreadableReport } from './unreadable-report.ts';

/** A row below the header. */
export interface CsvRecord {
  /** The line that it ends on, from 1. */
  line: number;
  /** The trimmed field of a column, whose name is given in lower case; null if it is missing or empty. */
  field(column: string): string | null;
  /** The trimmed fields that are not empty, by the names of their columns in lower case. */
  fields(): Record<string, string>;
  /** No field says anything. */
  isEmpty: boolean;
}

const ROW_MB_MAX = 16;

/**
 * The rows below the header, which need not be the first: scanners write a preamble. Fields are separated by commas or
 * semicolons, as in the header. Reports may be joined: a further header names the columns of the rows below it.
 * @param isHeader receives the trimmed fields of a row in lower case
 * @throws UnreadableReport if no row is the header, quotes do not match, a row is longer than 16 MB or the last one
 * ends too early
 */
export async function* csvRecords(
  file: ReportFile,
  isHeader: (columns: string[]) => boolean,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<CsvRecord> {
  let columns: Map<string, number> | null = null;
  let width = 0;
  const delimiter = delimiterOf(file.head, isHeader) ?? ',';
  for await (const { line, fields, isCut } of rowsOf(file, delimiter, onProgress)) {
    const names = fields.map((field) => field.trim().toLowerCase());
    if (isHeader(names)) {
      // The first column wins if a name occurs twice.
      columns = new Map(names.map((name, i) => [name, i] as const).reverse());
      width = names.findLastIndex((name) => name !== '') + 1;
    } else if (columns !== null) {
      // Fields that are empty may be left out at the end of a row, but not its line end as well.
      if (isCut && fields.length < width)
        throw new UnreadableReport(file.name, `line ${line}`, 'ends within a row');
      yield recordOf(line, fields, columns);
    }
  }
  if (columns === null)
    throw new UnreadableReport(file.name, null, 'has no row with the column names of this format');
}

const recordOf = (line: number, fields: string[], columns: Map<string, number>): CsvRecord => ({
  line,
  field: (column) => fields[columns.get(column) ?? -1]?.trim() || null,
  fields: () => {
    const named: Record<string, string> = Object.create(null);
    for (const [column, i] of columns) {
      const field = fields[i]?.trim();
      if (field) named[column] = field;
    }
    return named;
  },
  isEmpty: fields.every((field) => field.trim() === ''),
});

interface ReportRow extends CsvRow {
  /** The file ends here without a line end. */
  isCut: boolean;
}

async function* rowsOf(
  file: ReportFile,
  delimiter: CsvDelimiter,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<ReportRow> {
  let hasLineEnd = true;
  async function* texts(): AsyncGenerator<string> {
    for await (const text of file.text(onProgress)) {
      hasLineEnd = /[\r\n]$/.test(text);
      yield text;
    }
  }
  const rows = readCsv(texts(), failOf(file.name), { rowMbMax: ROW_MB_MAX, hasLooseQuotes: true, delimiter });
  let row: CsvRow | null = null;
  for await (const next of rows) {
    if (row) yield { ...row, isCut: false };
    row = next;
  }
  if (row) yield { ...row, isCut: !hasLineEnd };
}
