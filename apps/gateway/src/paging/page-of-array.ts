import { decodeKeys, type Page, type PageQuery, pageFrom } from './page.ts';

/** A page of an array that is in the order of its names, by code points. */
export function pageOfArray<R extends { name: string }, T>(
  rows: R[],
  { limit, cursor }: PageQuery,
  view: (row: R) => T,
): Page<T> {
  const after = decodeKeys(cursor, 'text')?.[0];
  const rest = after === undefined ? rows : rows.filter(({ name }) => name > after);
  return pageFrom(rest.slice(0, limit + 1), limit, ({ name }) => [name], view);
}
