import type { Page } from './types.ts';

/** Pages of a list, requested on demand. @param read returns the page at a cursor */
export async function* pages<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<Page<T>, void> {
  let cursor: string | null | undefined;
  do {
    const page: Page<T> = await read(cursor ?? undefined);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Items of all pages, one by one. */
export async function* items<T>(all: AsyncIterable<Page<T>>): AsyncGenerator<T, void> {
  for await (const page of all) yield* page.items;
}
