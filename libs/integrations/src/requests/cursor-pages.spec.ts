import { describe, expect, it } from '@jest/globals';
import type { Json } from '../json-values.ts';
import {
  type CountedPage,
  type CursorPage,
  cursorPages,
  type PageRequest,
  type RecordKeys,
  shortfallOf,
} from './cursor-pages.ts';
import { VendorError } from './vendor-error.ts';

type Page = Pick<CursorPage<number>, 'records' | 'total'>;

const records = (from: number, count: number): Json[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${from + i}`, changed: 0 }));

const keys: RecordKeys = { idOf: ({ id }) => `${id}`, keyOf: ({ id, changed }) => `${id} ${changed}` };

/** Each page leads to the next, which is its cursor. */
const listOf =
  (...pages: Page[]) =>
  async ({ cursor }: PageRequest<number>): Promise<CursorPage<number>> => {
    const at = cursor ?? 0;
    const next = at + 1 < pages.length ? at + 1 : null;
    return { ...pages[at]!, next, answeredAt: 0, flaw: null };
  };

async function read(fetch: (page: PageRequest<number>) => Promise<CursorPage<number>>) {
  const pages: CountedPage[] = [];
  for await (const page of cursorPages('hosts', 1_000, keys, fetch)) pages.push(page);
  const { total, received } = pages.at(-1)!;
  return {
    pages,
    received,
    total,
    shortfall: shortfallOf({ first: pages[0]!.total, last: total }, received),
  };
}

describe('a list by pages', () => {
  it('that ends with an empty page without a count has that of the page before it', async () => {
    const end: Page = { records: [], total: 0 };
    const whole = [1, 2].map((n) => ({ records: records(n * 100, 100), total: 200 }));
    expect(await read(listOf(...whole, end))).toMatchObject({ total: 200, shortfall: null });
    const cut = await read(listOf({ records: records(0, 100), total: 500 }, end));
    expect(cut.shortfall).toMatch(/^400 of 500 are missing/);
  });

  it('may end so with more records than are allowed beyond a count of 0', async () => {
    const pages = Array.from({ length: 12 }, (_, i) => ({
      records: records(i * 1_000, 1_000),
      total: 12_000,
    }));
    const { received } = await read(listOf(...pages, { records: [], total: 0 }));
    expect(received).toBe(12_000);
  });

  it('counts a record that changes and is returned again once, so that it hides no missing one', async () => {
    const changed = records(0, 30).map((record) => ({ ...record, changed: 1 }));
    const { received, shortfall } = await read(
      listOf(
        { records: records(0, 100), total: 200 },
        { records: [...records(100, 75), ...changed], total: 200 },
      ),
    );
    expect(received).toBe(175);
    expect(shortfall).toMatch(/^25 of 200 are missing/);
  });

  it('counts each record without an id', async () => {
    const nameless = { idOf: () => '', keyOf: keys.keyOf };
    const pages = cursorPages('hosts', 1_000, nameless, listOf({ records: records(0, 100), total: 100 }));
    expect((await pages.next()).value).toMatchObject({ received: 100 });
  });

  it('that comes in time in no size is reported, after five sizes', async () => {
    const limits: number[] = [];
    const late = async ({ limit }: PageRequest<number>): Promise<CursorPage<number>> => {
      limits.push(limit);
      throw new VendorError('hosts page 1', 'timeout', 'did not respond');
    };
    await expect(read(late)).rejects.toThrow('hosts page 1: did not respond');
    expect(limits).toEqual([1_000, 500, 250, 125, 62]);
  });

  it('without a record has the count of its only page', async () => {
    expect(await read(listOf({ records: [], total: 0 }))).toMatchObject({ total: 0, shortfall: null });
  });
});
