import { type Json, objectOf } from '../json-values.ts';
import { VendorError } from './vendor-error.ts';

export interface CursorPage<C> {
  records: Json[];
  /** Records of the whole query, as the vendor counts them on this page. */
  total: number | null;
  /** Leads to the next page; null: this is the last one. */
  next: C | null;
}

export interface CountedPage {
  /** From 1. */
  number: number;
  /** Those that the page before did not have just so. */
  records: Json[];
  repeated: number;
  /** Distinct records until here. */
  received: number;
  total: number | null;
  isLast: boolean;
}

/** So many repeated pages in a row are no hiccup any more. */
const REPEATED_MAX = 3;
/** What may come beyond the records that there are, since records change while they are paged. */
const SURPLUS_FACTOR = 2;
const SURPLUS = 10_000;

/**
 * Pages by cursor until the last one. Of what came, only the keys of one page are kept: a repeated page is told from
 * a new one by the page before it.
 *
 * @param keyOf the same for a record that has not changed
 * @throws what `fetch` throws; VendorError where the same page comes again and again
 */
export async function* cursorPages<C>(
  what: string,
  keyOf: (record: Json) => string,
  fetch: (page: { number: number; cursor: C | null }) => Promise<CursorPage<C>>,
): AsyncGenerator<CountedPage> {
  let before = new Set<string>();
  let cursor: C | null = null;
  let received = 0;
  let repeats = 0;
  for (let number = 1; ; number++) {
    const page: CursorPage<C> = await fetch({ number, cursor });
    const records = page.records.filter((record) => !before.has(keyOf(record)));
    repeats = records.length === 0 && page.records.length > 0 ? repeats + 1 : 0;
    if (repeats >= REPEATED_MAX) {
      throw new VendorError(`${what} page ${number}`, 'answer', 'the same page comes again and again');
    }
    received += records.length;
    if (received > SURPLUS_FACTOR * (page.total ?? received) + SURPLUS) {
      throw new VendorError(
        `${what} page ${number}`,
        'answer',
        'more comes than there is: the pages lead in a circle',
      );
    }
    const isLast = page.next === null || page.records.length === 0;
    const repeated = page.records.length - records.length;
    yield { number, records, repeated, received, total: page.total, isLast };
    if (isLast) return;
    if (repeats === 0) before = new Set(page.records.map(keyOf));
    cursor = page.next;
  }
}

/** Says how many of the records that the vendor counted did not come; null where none is missing. */
export function shortfallOf(
  totals: { first: number | null; last: number | null },
  received: number,
): string | null {
  // Records come and go while they are paged: what both counts say must have come.
  const expected = Math.min(totals.first ?? 0, totals.last ?? 0);
  if (received >= expected) return null;
  return `${expected - received} of ${expected} did not come, although every page was answered`;
}

/** What is no object is no record: an empty one takes its place, so that counts stay true. */
export const recordsOf = (list: unknown[]): Json[] => list.map(objectOf);
