import { describe, expect, it } from '@jest/globals';
import { assertGapFree, HistoryGapError } from './history-range.ts';

const rows = (...sequences: number[]) => sequences.map((sequence) => ({ sequence }));

it('a history that continues directly is gap-free, an empty one too', () => {
  assertGapFree('asset_history', { partition: 3, after: 7 }, rows(8, 9, 10));
  assertGapFree('asset_history', { partition: 3, after: 7 }, []);
});

it.each([
  [rows(9, 10), 9, 8],
  [rows(8, 10), 10, 9],
])('a hole is reported with its position', (given, found, next) => {
  const check = () => assertGapFree('asset_history', { partition: 3, after: 7 }, given);
  expect(check).toThrow(HistoryGapError);
  expect(check).toThrow(`asset_history of partition 3 continues at ${found}, but ${next} is next`);
});

describe('a history that the retention has trimmed', () => {
  const check = (given: { sequence: number }[]) => () =>
    assertGapFree('finding_history', { partition: 3, after: 7 }, given, 12);

  it.each([
    ['none is missing', rows(8, 9)],
    ['some are missing', rows(9, 12, 13)],
    ['all up to the last trim are missing', rows(13, 14)],
    ['no row is left', []],
  ])('is gap-free if %s', (_, given) => {
    expect(check(given)).not.toThrow();
  });

  it.each([
    ['after the last trim', rows(9, 13, 15), 15, 14],
    ['beginning before it', rows(9, 14), 14, 13],
    ['from the beginning to after it', rows(15), 15, 13],
  ])('has a hole %s', (_, given, found, next) => {
    expect(check(given)).toThrow(HistoryGapError);
    expect(check(given)).toThrow(`finding_history of partition 3 continues at ${found}, but ${next} is next`);
  });
});
