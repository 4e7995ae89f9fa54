import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { ReportFile } from './report-file.ts';
import { UnreadableReport } from './unreadable-report.ts';

/** A row below the header. */
export interface CsvRecord {
  /** The line that it ends on, from 1. */
  line: number;
  /** The trimmed field of a column, whose name is given in lower case; null where it is missing or empty. */
  field(column: string): string | null;
  /** No field says anything. */
  isEmpty: boolean;
}

const ROW_CHARS_MAX = 16 * 1_048_576;

/**
 * The rows below the header, which need not be the first: scanners write a preamble.
 * @param isHeader told the trimmed fields of a row in lower case
 * @throws UnreadableReport where no row is the header, quotes do not match, a row is longer than 16 MB or the last one
 * ends too early
 */
export async function* csvRecords(
  file: ReportFile,
  isHeader: (columns: string[]) => boolean,
  reached?: (bytes: number) => void,
): AsyncGenerator<CsvRecord> {
  let columns: Map<string, number> | null = null;
  let width = 0;
  for await (const { line, fields, isCut } of csvRows(file, reached)) {
    if (columns !== null) {
      // Fields that are empty may be left out at the end of a row, but not its line end as well.
      if (isCut && fields.length < width)
        throw new UnreadableReport(file.name, `line ${line}`, 'ends in the middle of a row');
      yield recordOf(line, fields, columns);
      continue;
    }
    const names = fields.map((field) => field.trim().toLowerCase());
    // Where a name stands twice the first column has it.
    if (!isHeader(names)) continue;
    columns = new Map(names.map((name, i) => [name, i] as const).reverse());
    width = names.findLastIndex((name) => name !== '') + 1;
  }
  if (columns === null)
    throw new UnreadableReport(file.name, null, 'no row names the columns of this format');
}

const recordOf = (line: number, fields: string[], columns: Map<string, number>): CsvRecord => ({
  line,
  field: (column) => fields[columns.get(column) ?? -1]?.trim() || null,
  isEmpty: fields.every((field) => field.trim() === ''),
});

interface CsvRow {
  /** That it ends on. */
  line: number;
  fields: string[];
  /** The file ends here without a line end. */
  isCut: boolean;
}

async function* csvRows(file: ReportFile, reached?: (bytes: number) => void): AsyncGenerator<CsvRow> {
  let hasLineEnd = true;
  const source = Readable.from(
    (async function* () {
      for await (const text of file.text(reached)) {
        hasLineEnd = /[\r\n]$/.test(text);
        yield text;
      }
    })(),
  );
  const parser = parse({
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARS_MAX,
  });
  source.on('error', (error) => parser.destroy(error));
  let row: CsvRow | null = null;
  try {
    for await (const { info, record } of source.pipe(parser) as AsyncIterable<{
      info: { lines: number };
      record: string[];
    }>) {
      if (row) yield row;
      row = { line: info.lines, fields: record, isCut: false };
    }
    if (row) yield { ...row, isCut: !hasLineEnd };
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number };
    if (!code?.startsWith('CSV_')) throw error;
    const problem =
      code === 'CSV_MAX_RECORD_SIZE' ? 'a row is longer than 16 MB' : 'is no valid CSV: quotes do not match';
    throw new UnreadableReport(file.name, lines === undefined ? null : `line ${lines}`, problem);
  } finally {
    source.destroy();
  }
}
