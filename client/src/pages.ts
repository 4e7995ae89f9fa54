import type { Page } from './types.ts';

/** The pages of a list, each asked for when the one before has been used. @param read answers the page at a cursor */
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

/** What is on pages, one by one. */
export async function* items<T>(all: AsyncIterable<Page<T>>): AsyncGenerator<T, void> {
  for await (const page of all) yield* page.items;
}
