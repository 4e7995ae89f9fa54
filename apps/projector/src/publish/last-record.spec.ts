import { expect, it } from '@jest/globals';
import type { EventLog, StoredRecord } from '#libs/event-log';
import { lastRecord } from './last-record.ts';

/** A partition whose records lie at these offsets; ends of transactions and compacted records leave holes. */
function logOf(offsets: number[], end: number) {
  const record = (offset: number) => ({ offset }) as StoredRecord;
  let readOffsets = 0;
  const log = {
    ends: async () => [0, end],
    async *read(_topic: string, _partition: number, from: number, to: number) {
      readOffsets += to - from;
      for (const offset of offsets) if (offset >= from && offset < to) yield [record(offset)];
    },
  } as unknown as EventLog;
  return { log, readOffsets: () => readOffsets };
}

it.each([
  ['at the end', [0, 1, 2], 3, 2],
  ['before the end of its transaction', [0, 1, 2], 4, 2],
  ['before many transactions that came to nothing', [0, 5], 1_000, 5],
  ['first of all', [0], 500, 0],
])('finds the last record %s', async (_, offsets, end, expected) => {
  const { log, readOffsets } = logOf(offsets, end);
  expect(await lastRecord(log, 'topic', 1)).toEqual({ offset: expected });
  expect(readOffsets()).toBeLessThanOrEqual(end);
});

it('finds none in an empty partition, nor in one that compaction has emptied', async () => {
  expect(await lastRecord(logOf([], 0).log, 'topic', 1)).toBeNull();
  expect(await lastRecord(logOf([], 700).log, 'topic', 1)).toBeNull();
});
