import { type CsvRow, readCsv } from '#libs/readers';
import type { CatalogueFile } from './catalogue-file.ts';
import { failOf } from './catalogue-file-error.ts';

const ROW_MB_MAX = 1;

/**
 * The rows of a CSV file, as `readCsv` returns them.
 *
 * @param comment lines that begin with it are skipped
 * @throws CatalogueFileError if quotes do not match or a row is longer than 1 MB
 */
export const csvRows = ({ name, content }: CatalogueFile, comment?: string): AsyncGenerator<CsvRow> =>
  readCsv(content(), failOf(name), { rowMbMax: ROW_MB_MAX, ...(comment !== undefined && { comment }) });
