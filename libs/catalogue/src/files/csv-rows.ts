import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { CatalogueFile } from './catalogue-file.ts';
import { asCatalogueFileError, CatalogueFileError } from './catalogue-file-error.ts';

/** A row of a CSV file and the line that it ends on, from 1. */
export interface CsvRow {
  line: number;
  fields: string[];
}

const ROW_CHARACTERS_MAX = 1024 * 1024;

/**
 * The rows of a CSV file, the header among them, as they come. A byte order mark and blank lines are left out. Rows may
 * differ in length: the reader of a format knows what its rows need.
 *
 * @param comment lines that begin with it are left out
 * @throws CatalogueFileError where quotes do not match or a row is longer than 1 MB
 */
export async function* csvRows(file: CatalogueFile, comment?: string): AsyncGenerator<CsvRow> {
  const source = Readable.from(file.content());
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    comment: comment ?? null,
    comment_no_infix: true,
    max_record_size: ROW_CHARACTERS_MAX,
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
    throw asCsvError(file.name, error);
  } finally {
    source.destroy();
  }
}

function asCsvError(name: string, error: unknown): unknown {
  const { code, lines } = error as { code?: string; lines?: number };
  if (!code?.startsWith('CSV_')) return asCatalogueFileError(name, error);
  const problem =
    code === 'CSV_MAX_RECORD_SIZE' ? 'a row is longer than 1 MB' : 'is no valid CSV: quotes do not match';
  return new CatalogueFileError(name, lines === undefined ? null : `line ${lines}`, problem);
}
