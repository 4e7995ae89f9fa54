import { expect, it } from '@jest/globals';
import { type EventLog, RecordsGoneError, type StoredRecord } from '#libs/event-log';
import { lastRecord } from './last-record.ts';

/** A partition whose records are at these offsets; ends of transactions and compacted records leave holes. */
function logOf(offsets: number[], end: number, begin = 0) {
  const record = (offset: number) => ({ offset }) as StoredRecord;
  let readOffsets = 0;
  const log = {
    ends: async () => [0, end],
    async *read(_topic: string, _partition: number, from: number, to: number) {
      if (from < begin) throw new RecordsGoneError(`records are missing from the log: it begins at ${begin}`);
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

it('finds no record in an empty partition, nor in one that compaction has emptied', async () => {
  expect(await lastRecord(logOf([], 0).log, 'topic', 1)).toBeNull();
  expect(await lastRecord(logOf([], 700).log, 'topic', 1)).toBeNull();
});

it.each([
  ['nothing but the last', [99], 99, 99],
  ['nothing', [], 100, null],
  ['the end of a transaction alone', [], 99, null],
  ['a record and ends of transactions', [37], 36, 37],
])('finds it if the log still has %s', async (_, offsets, begin, expected) => {
  const { log } = logOf(offsets, 100, begin);
  expect((await lastRecord(log, 'topic', 1))?.offset ?? null).toBe(expected);
});

it('takes no other failure for an end', async () => {
  const log = {
    ends: async () => [9, 9],
    read: () => {
      throw new Error('a bug');
    },
  } as unknown as EventLog;
  await expect(lastRecord(log, 'topic', 1)).rejects.toThrow('a bug');
});
