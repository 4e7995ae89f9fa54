import { Readable } from 'node:stream';
import type { ExportFormat } from './export-format.ts';
import type { Page } from './page.ts';

/** Items read at a time: the most that a page has. */
export const EXPORT_PAGE = 500;

/** Returns the page after a cursor; undefined is the first one. */
export type ReadPage<T> = (cursor: string | undefined) => Promise<Page<T>>;

/**
 * A list as a file, page by page by its cursors: no query is longer than one page takes. Nothing is read before the
 * client has taken the previous page; a destroyed stream reads no further page, and a failure destroys it.
 * @throws the errors of the first page: nothing has been sent then
 */
export async function exportStream<T>(readPage: ReadPage<T>, format: ExportFormat<T>): Promise<Readable> {
  const first = await readPage(undefined);
  return Readable.from(textOf(first, readPage, format), { objectMode: false, highWaterMark: 1 });
}

async function* textOf<T>(
  first: Page<T>,
  readPage: ReadPage<T>,
  format: ExportFormat<T>,
): AsyncGenerator<string> {
  yield format.beginning() + format.items(first.items, true);
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const page = await readPage(cursor);
    yield format.items(page.items, false);
    cursor = page.nextCursor;
  }
  const end = format.end();
  if (end !== '') yield end;
}
