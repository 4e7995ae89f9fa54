import { type Filter, type FoundRecords, indexAfter, type Sort } from '../query/found-records.ts';
import type { Collection, Fields } from '../records/collection.ts';
import { positionOf, positionToken } from './position-token.ts';

export interface PageAfter {
  records: Fields[];
  total: number;
  /** Token of the next page; undefined on the last. */
  token: string | undefined;
}

/** A page that begins after the position of a token: at the start if there is none. */
export function pageAfter<T extends Fields>(
  { collection, found }: { collection: Collection<T>; found: FoundRecords<T> },
  { filter, sort, token, limit }: { filter: Filter; sort: Sort | undefined; token: string; limit: number },
): PageAfter {
  const all = found.find(filter, sort);
  const begin = token === '' ? 0 : indexAfter(all, positionOf(token), sort?.isDescending ?? false);
  const numbers = all.numbers.slice(begin, begin + limit);
  const last = begin + numbers.length - 1;
  const isLast = last + 1 >= all.numbers.length;
  return {
    records: numbers.map((number) => collection.at(number) as T),
    total: all.numbers.length,
    token: isLast ? undefined : positionToken([all.keys[last] ?? 0, all.numbers[last] ?? 0]),
  };
}
