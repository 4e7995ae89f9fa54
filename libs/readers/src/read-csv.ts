import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Fail } from './fail.ts';

/** A row of a CSV stream and the line that it ends on, from 1. */
export interface CsvRow {
  line: number;
  fields: string[];
}

export interface CsvOptions {
  /** Of a row, in units of 1,048,576 characters. */
  rowMbMax: number;
  /** Between fields. Default: a comma. */
  delimiter?: string;
  /** Lines that begin with it are skipped. */
  comment?: string;
  /** Whether a field without quotes around it may contain quotes. */
  hasLooseQuotes?: boolean;
}

/**
 * The rows of a CSV stream, the header among them, as they come. A byte order mark and blank lines are skipped. Lines
 * may end with CR LF, LF and CR in one stream. Rows may differ in length: the reader of a format checks them.
 * @throws the error of `fail` if quotes do not match or a row is too long
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer | string>,
  fail: Fail,
  { rowMbMax, delimiter = ',', comment, hasLooseQuotes = false }: CsvOptions,
): AsyncGenerator<CsvRow> {
  const source = Readable.from(chunks);
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    relax_quotes: hasLooseQuotes,
    skip_empty_lines: true,
    comment: comment ?? null,
    comment_no_infix: true,
    max_record_size: rowMbMax * 1_048_576,
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
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error;
    const problem =
      code === 'CSV_MAX_RECORD_SIZE'
        ? `a row is longer than ${rowMbMax} MB`
        : 'is not valid CSV: quotes do not match';
    throw fail(typeof lines === 'number' ? `line ${lines}` : null, problem);
  } finally {
    source.destroy();
  }
}
