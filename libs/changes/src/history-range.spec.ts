import { expect, it } from '@jest/globals';
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
