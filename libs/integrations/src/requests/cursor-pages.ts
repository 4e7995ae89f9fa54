import { type Json, objectOf } from '../json-values.ts';
import { PageSize } from './page-size.ts';
import { VendorError } from './vendor-error.ts';

export interface CursorPage<C> {
  records: Json[];
  /** Records of the whole query, as the vendor counts them on this page; null: it does not say. */
  total: number | null;
  /** Leads to the next page; null: this is the last one. */
  next: C | null;
  /** By the vendor's clock, in epoch milliseconds. */
  answeredAt: number;
  /** The failures that the vendor reports on this page, also after the last attempt: records may be missing. */
  flaw: string | null;
}

/** One page to ask for. */
export interface PageRequest<C> {
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
  /** Records that the previous page did not contain. */
  records: Json[];
  repeated: number;
  /** Distinct records until here: one that has changed and is returned again counts once, as for the vendor. */
  received: number;
  /** As counted on the last page with records until here: the empty page that ends a list may count none. */
  total: number | null;
  answeredAt: number;
  flaw: string | null;
  isLast: boolean;
}

export interface RecordKeys {
  /** Empty: the record has no id. */
  idOf(record: Json): string;
  /** The same for a record that has not changed. */
  keyOf(record: Json): string;
}

/** Ids that a list remembers, some 200 MB of them: a record after them counts whenever it is returned. */
const IDS_MAX = 1_000_000;
/** Number of consecutive pages without a new record after which the platform counts as faulty. */
const REPEATED_MAX = 3;
/** Allowance for extra records, since records change while they are paged. */
const SURPLUS_FACTOR = 2;
const SURPLUS = 10_000;

/**
 * Pages by cursor until the last one. A repeated page is distinguished from a new one by the page before it. A page whose answer is too large, or does not come in time, is requested again with half as many records.
 *
 * @param limit records of a page, 1 or more
 * @throws what `fetch` throws; VendorError if the same page is returned repeatedly
 */
export async function* cursorPages<C>(
  what: string,
  limit: number,
  { idOf, keyOf }: RecordKeys,
  fetch: (page: PageRequest<C>) => Promise<CursorPage<C>>,
): AsyncGenerator<CountedPage> {
  const size = new PageSize(limit);
  let before = new Set<string>();
  let cursor: C | null = null;
  const distinct = new DistinctRecords();
  let sent = 0;
  let total: number | null = null;
  let repeats = 0;
  for (let number = 1; ; number++) {
    const page: CursorPage<C> = await fetchSized(size, { number, cursor }, fetch);
    const records = page.records.filter((record) => !before.has(keyOf(record)));
    const isEmpty = page.records.length === 0;
    repeats = records.length === 0 && (!isEmpty || page.flaw !== null) ? repeats + 1 : 0;
    if (repeats >= REPEATED_MAX) {
      throw new VendorError(
        `${what} page ${number}`,
        'answer',
        page.flaw ?? 'the platform returns the same page repeatedly',
      );
    }
    if (!isEmpty || sent === 0) total = page.total;
    sent += records.length;
    for (const record of records) distinct.add(idOf(record));
    if (sent > SURPLUS_FACTOR * (total ?? sent) + SURPLUS) {
      throw new VendorError(
        `${what} page ${number}`,
        'answer',
        'the platform returns more records than it reported: the pages repeat',
      );
    }
    // A page that has lost its records to a failure is not the end.
    const isLast = page.next === null || (isEmpty && page.flaw === null);
    const repeated = page.records.length - records.length;
    const { answeredAt, flaw } = page;
    const received = distinct.count;
    yield { number, records, repeated, received, total, answeredAt, flaw, isLast };
    if (isLast) return;
    if (repeats === 0) before = new Set(page.records.map(keyOf));
    cursor = page.next;
  }
}

class DistinctRecords {
  private readonly ids = new Set<string>();
  count = 0;

  add(id: string): void {
    if (this.ids.has(id)) return;
    this.count++;
    if (id !== '' && this.ids.size < IDS_MAX) this.ids.add(id);
  }
}

async function fetchSized<C>(
  size: PageSize,
  asked: Omit<PageRequest<C>, 'limit'>,
  fetch: (page: PageRequest<C>) => Promise<CursorPage<C>>,
): Promise<CursorPage<C>> {
  for (;;) {
    try {
      const page = await fetch({ ...asked, limit: size.current });
      size.note();
      return page;
    } catch (error) {
      if (!(error instanceof VendorError) || !shrink(size, error)) throw error;
    }
  }
}

/** Answers whether a smaller page may come. */
function shrink(size: PageSize, { failure }: VendorError): boolean {
  if (failure === 'tooLarge') return size.halve();
  return failure === 'timeout' && size.slowDown();
}

/** States how many of the counted records are missing, or that the vendor did not count; null: none is missing. */
export function shortfallOf(
  { first, last }: { first: number | null; last: number | null },
  received: number,
): string | null {
  const known = [first, last].filter((total) => total !== null);
  if (known.length === 0) return UNCOUNTED;
  // Records are added and removed while they are paged: the lower count must have been returned.
  const expected = Math.min(...known);
  if (received >= expected) return null;
  return `${expected - received} of ${expected} are missing, although all pages were returned`;
}

const UNCOUNTED = 'the platform did not report the total number, so the result may be incomplete';

/** A value that is not an object is replaced by an empty record, so that counts are correct. */
export const recordsOf = (list: unknown[]): Json[] => list.map(objectOf);
