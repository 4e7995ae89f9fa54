import { expect, it } from '@jest/globals';
import { partitionOf } from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';
import { MemoryLog } from '../../../../../test/support/memory-log.ts';
import { OtherLogError, ResumedLog } from './resumed-log.ts';

const PARTITIONS = 3;
const RECORDS = Array.from({ length: 40 }, (_, i) => ({
  key: `machine:${i % 7}`,
  value: Buffer.from(`${i}`),
}));

/** A log that appends by key, and stops after a number of records. */
class StoppingLog extends MemoryLog {
  stopsAfter = Number.POSITIVE_INFINITY;

  static begun(): StoppingLog {
    const log = new StoppingLog(PARTITIONS);
    for (const [partition, records] of MemoryLog.opened([[], [], []]).stored.entries()) {
      log.stored[partition] = records;
    }
    return log;
  }

  override async append(topic: string, records: LogRecord[]) {
    const placed = records.map((record) => ({ ...record, partition: partitionOf(record.key, PARTITIONS) }));
    const some = placed.slice(0, this.stopsAfter);
    this.stopsAfter -= some.length;
    const positions = await super.append(topic, some);
    if (some.length < placed.length) throw new Error('stopped');
    return positions;
  }

  get values(): string[][] {
    return this.stored.map((records) => records.map(({ value }) => value.toString('latin1')));
  }
}

async function write(log: StoppingLog, records: readonly LogRecord[] = RECORDS, mayAppend = true) {
  const resumed = await ResumedLog.open(log.port, { mayAppend });
  for (let from = 0; from < records.length; from += 6) await resumed.append(records.slice(from, from + 6));
  await resumed.finish();
  return resumed;
}

it('gives the same log wherever it was stopped before', async () => {
  const whole = StoppingLog.begun();
  expect((await write(whole)).isUnchanged).toBe(false);
  for (const stop of [0, 1, 5, 6, 7, 23, 39]) {
    const log = StoppingLog.begun();
    log.stopsAfter = stop;
    await expect(write(log)).rejects.toThrow('stopped');
    log.stopsAfter = Number.POSITIVE_INFINITY;
    await write(log);
    expect(log.values).toEqual(whole.values);
  }
});

it('appends nothing to a complete log', async () => {
  const log = StoppingLog.begun();
  await write(log);
  const { values } = log;
  expect((await write(log)).isUnchanged).toBe(true);
  expect((await write(log, RECORDS, false)).isUnchanged).toBe(true);
  expect(log.values).toEqual(values);
});

it('refuses a log with other records, or with more, and appends nothing to it', async () => {
  const log = StoppingLog.begun();
  await write(log, RECORDS.slice(0, 10));
  const { values } = log;
  const other = RECORDS.map((record, i) => (i === 9 ? { ...record, value: Buffer.from('x') } : record));
  await expect(write(log, other)).rejects.toThrow(OtherLogError);
  await expect(write(log, RECORDS.slice(0, 9))).rejects.toThrow(OtherLogError);
  await expect(write(log, RECORDS, false)).rejects.toThrow(OtherLogError);
  expect(log.values).toEqual(values);
});
