import { describe, expect, it } from '@jest/globals';
import { CatalogueTimeline } from '#libs/catalogue-store';
import { kevListing } from './kev-listing.ts';
import { remarksOf } from './remarks-of.ts';

const DAY = 86_400_000;
const FROM = Date.parse('2026-03-01T12:00:00Z');
const WINDOW = { from: FROM, until: FROM + 30 * DAY };

/** @param lists by the day from which on they are in force, counted from the window's beginning: the day of addition */
function listing(lists: Record<string, string | null>) {
  const days = Object.keys(lists).map(Number);
  const rows = Object.values(lists).flatMap((dateAdded, i) =>
    dateAdded === null
      ? []
      : {
          catalogue: 'kev' as const,
          cve: 'CVE-2026-1000',
          value: { dateAdded },
          validFrom: FROM + days[i]! * DAY,
          validTo: i + 1 < days.length ? FROM + days[i + 1]! * DAY : Number.POSITIVE_INFINITY,
        },
  );
  return kevListing(new CatalogueTimeline(rows), 'CVE-2026-1000', WINDOW);
}

describe('the listing of a CVE', () => {
  it.each([
    ['is by the day of addition', { 5: '2026-03-05' }, 'within'],
    ['is within also on the last day', { 31: '2026-03-31' }, 'within'],
    ['is not within after the last day', { 32: '2026-04-01' }, 'no'],
    ['is before on the day of the beginning', { 1: '2026-03-01' }, 'before'],
    ['is within on the day after it', { 2: '2026-03-02' }, 'within'],
    ['is before if a list that came later says so', { 90: '2026-02-01' }, 'before'],
    ['is within if a list that came much later says so', { 90: '2026-03-05' }, 'within'],
    ['is before if it was in force at the beginning, whatever its day', { '-1': '2026-03-05' }, 'before'],
    ['is by the first day if CISA changed it', { 5: '2026-03-05', 50: '2026-04-20' }, 'within'],
    ['remains if CISA removed the CVE', { 5: '2026-03-05', 40: null }, 'within'],
  ])('%s', (_, lists: Record<string, string | null>, expected) => {
    // Keys of an object that are integers come in ascending order, the negative one alone.
    expect(listing(lists)).toBe(expected);
  });

  it('is none without a list', () => {
    expect(kevListing(new CatalogueTimeline([]), 'CVE-2026-1000', WINDOW)).toBe('no');
  });
});

describe('remarks', () => {
  it('name a KEV list that is too old, and the years in which KEV was filled', () => {
    const steady = Date.UTC(2022, 6, 1);
    const window = { from: steady, until: steady + 30 * DAY };
    expect(remarksOf([window], [], window.until)).toEqual([]);
    expect(remarksOf([window], [], window.until - 1)).toEqual([
      expect.stringContaining('in force since 2022-07-30T23:59:59.999Z, before the end'),
    ]);
    expect(remarksOf([{ ...window, from: steady - 1 }, window], [], window.until)).toEqual([
      expect.stringContaining('Until July 2022 CISA filled KEV with old entries'),
    ]);
  });
});
