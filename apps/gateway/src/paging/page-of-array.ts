import { decodeKeys, type Page, type PageQuery, pageFrom } from './page.ts';

/** A page of an array that is in the order of its keys, by code points. */
export function pageOfArray<R, T>(
  rows: R[],
  { limit, cursor }: PageQuery,
  keyOf: (row: R) => string,
  view: (row: R) => T,
): Page<T> {
  const after = decodeKeys(cursor, 'text')?.[0];
  const rest = after === undefined ? rows : rows.filter((row) => keyOf(row) > after);
  return pageFrom(rest.slice(0, limit + 1), limit, (row) => [keyOf(row)], view);
}
