import { type Json, objectOf } from '../json-values.ts';
import { PageSize } from './page-size.ts';
import { VendorError } from './vendor-error.ts';

export interface CursorPage<C> {
  records: Json[];
  /** Records of the whole query, as the vendor counts them on this page; null: it does not say. */
  total: number | null;
  /** Leads to the next page; null: this is the last one. */
  next: C | null;
  /** What the vendor reports as failed on this page, also after the last attempt: records may be missing. */
  flaw: string | null;
}

/** One page to ask for. */
export interface PageAsked<C> {
  /** From 1. */
  number: number;
  /** null: the first page. */
  cursor: C | null;
  /** Records that it is to have at most. */
  limit: number;
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
  flaw: string | null;
  isLast: boolean;
}

/** So many repeated pages in a row are no hiccup any more. */
const REPEATED_MAX = 3;
/** What may come beyond the records that there are, since records change while they are paged. */
const SURPLUS_FACTOR = 2;
const SURPLUS = 10_000;

/**
 * Pages by cursor until the last one. Of what came, only the keys of one page are kept: a repeated page is told from
 * a new one by the page before it. A page whose answer is too large is asked for again with half as many records.
 *
 * @param limit records of a page, 1 or more
 * @param keyOf the same for a record that has not changed
 * @throws what `fetch` throws; VendorError where the same page comes again and again
 */
export async function* cursorPages<C>(
  what: string,
  limit: number,
  keyOf: (record: Json) => string,
  fetch: (page: PageAsked<C>) => Promise<CursorPage<C>>,
): AsyncGenerator<CountedPage> {
  const size = new PageSize(limit);
  let before = new Set<string>();
  let cursor: C | null = null;
  let received = 0;
  let repeats = 0;
  for (let number = 1; ; number++) {
    const page: CursorPage<C> = await fetchSized(size, { number, cursor }, fetch);
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
    yield { number, records, repeated, received, total: page.total, flaw: page.flaw, isLast };
    if (isLast) return;
    if (repeats === 0) before = new Set(page.records.map(keyOf));
    cursor = page.next;
  }
}

async function fetchSized<C>(
  size: PageSize,
  asked: Omit<PageAsked<C>, 'limit'>,
  fetch: (page: PageAsked<C>) => Promise<CursorPage<C>>,
): Promise<CursorPage<C>> {
  for (;;) {
    try {
      const page = await fetch({ ...asked, limit: size.current });
      size.note();
      return page;
    } catch (error) {
      if (!(error instanceof VendorError) || error.failure !== 'tooLarge' || !size.halve()) throw error;
    }
  }
}

/** Says how many of the records that the vendor counted did not come, or that it did not count; null: none is missing. */
export function shortfallOf(
  { first, last }: { first: number | null; last: number | null },
  received: number,
): string | null {
  const known = [first, last].filter((total) => total !== null);
  if (known.length === 0) return UNCOUNTED;
  // Records come and go while they are paged: what both counts say must have come.
  const expected = Math.min(...known);
  if (received >= expected) return null;
  return `${expected - received} of ${expected} did not come, although every page was answered`;
}

const UNCOUNTED = 'the platform did not report how many there are, so it is unknown whether all came';

/** What is no object is no record: an empty one takes its place, so that counts stay true. */
export const recordsOf = (list: unknown[]): Json[] => list.map(objectOf);
