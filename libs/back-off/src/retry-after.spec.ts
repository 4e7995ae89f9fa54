import { describe, expect, it } from '@jest/globals';
import { msUntil, retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-03-02T08:00:00.000Z');
const HOUR_MS = 3_600_000;
const date = 'Mon, 02 Mar 2026 08:00:00 GMT';

it.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Mon, 02 Mar 2026 08:01:00 GMT', 60_000],
  ['Mon, 02 Mar 2026 07:00:00 GMT', 0],
  ['soon', null],
  ['-1', null],
  ['1.5', null],
  ['', null],
])('Retry-After: %s', (header, ms) => {
  expect(retryAfterMs({ 'retry-after': header }, NOW)).toBe(ms);
});

it('no Retry-After', () => {
  expect(retryAfterMs({ date }, NOW)).toBeNull();
});

describe.each([
  ['ahead', NOW + HOUR_MS],
  ['behind', NOW - HOUR_MS],
])('if our clock is an hour %s', (_, clock) => {
  it('instants of an answer are by its own clock', () => {
    const headers = { date, 'retry-after': 'Mon, 02 Mar 2026 08:10:00 GMT' };
    expect(retryAfterMs(headers, clock)).toBe(600_000);
    expect(msUntil(NOW + 600_000, headers, clock)).toBe(600_000);
  });
});
