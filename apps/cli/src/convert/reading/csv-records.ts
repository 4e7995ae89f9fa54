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
 * @throws UnreadableReport where no row is the header, quotes do not match or a row is longer than 16 MB
 */
export async function* csvRecords(
  file: ReportFile,
  isHeader: (columns: string[]) => boolean,
  reached?: (bytes: number) => void,
): AsyncGenerator<CsvRecord> {
  let columns: Map<string, number> | null = null;
  for await (const { line, fields } of csvRows(file, reached)) {
    if (columns !== null) {
      yield recordOf(line, fields, columns);
      continue;
    }
    const names = fields.map((field) => field.trim().toLowerCase());
    // Where a name stands twice the first column has it.
    if (isHeader(names)) columns = new Map(names.map((name, i) => [name, i] as const).reverse());
  }
  if (columns === null)
    throw new UnreadableReport(file.name, null, 'no row names the columns of this format');
}

const recordOf = (line: number, fields: string[], columns: Map<string, number>): CsvRecord => ({
  line,
  field: (column) => fields[columns.get(column) ?? -1]?.trim() || null,
  isEmpty: fields.every((field) => field.trim() === ''),
});

async function* csvRows(
  file: ReportFile,
  reached?: (bytes: number) => void,
): AsyncGenerator<{ line: number; fields: string[] }> {
  const source = Readable.from(file.text(reached));
  const parser = parse({
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARS_MAX,
  });
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const { info, record } of source.pipe(parser) as AsyncIterable<{
      info: { lines: number };
      record: string[];
    }>) {
      yield { line: info.lines, fields: record };
    }
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
