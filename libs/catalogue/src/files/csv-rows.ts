import { type CsvRow, readCsv } from '#libs/readers';
import type { CatalogueFile } from './catalogue-file.ts';
import { CatalogueFileError, failOf } from './catalogue-file-error.ts';

const ROW_MB_MAX = 1;

/**
 * The rows of a CSV file, as `readCsv` returns them.
 *
 * @param comment lines that begin with it are skipped
 * @throws CatalogueFileError if quotes do not match, a row is longer than 1 MB, or the file ends within a line
 */
export const csvRows = (file: CatalogueFile, comment?: string): AsyncGenerator<CsvRow> =>
  readCsv(endingWithNewline(file), failOf(file.name), {
    rowMbMax: ROW_MB_MAX,
    ...(comment !== undefined && { comment }),
  });

/** A plain file that was cut off mostly ends within a line, and a shorter last value is a value too. */
async function* endingWithNewline(file: CatalogueFile): AsyncGenerator<Buffer> {
  let last: number | undefined;
  for await (const chunk of file.content()) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== undefined && last !== 0x0a) {
    throw new CatalogueFileError(file.name, 'the last line', 'the file ends in the middle of a line');
  }
}
