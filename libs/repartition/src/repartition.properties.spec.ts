import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeIfIntact } from '#libs/contracts';
import { isPartitionKey } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { foldByDomain } from '../../../test/support/domain-fold.ts';
import { runs } from '../../../test/support/long-run.ts';
import { T0 } from '../../../test/support/scenario.ts';
import { sentToSites, writtenLog } from '../../../test/support/written-logs.ts';
import { PartitionPlanner } from './partition-plan.ts';
import { Placement } from './placement.ts';
import { RecordPlacer } from './record-placer.ts';

const OLD_LOG = { logId: 'old', heads: ['a0', 'a1', 'a2'] };
const NEW_LOG = '2f2f2f2f-0000-4000-8000-000000000002';

const sizes = fc.constantFrom<[number, number]>([1, 2], [1, 5], [2, 4], [2, 6], [3, 12]);

/** The partitions of the new log. */
function placed(old: StoredRecord[][], to: number): StoredRecord[][] {
  const placement = new Placement(old.length, to);
  return Array.from({ length: to }, (_, partition) => {
    const records = old[placement.oldPartitionOf(partition)]!;
    const planner = new PartitionPlanner(placement);
    for (const record of records) planner.take(record);
    const plan = planner.finish();
    const placer = new RecordPlacer(placement, partition, plan, NEW_LOG, OLD_LOG);
    const found = records.flatMap((record) => placer.place(record) ?? []);
    expect(plan.ends.get(partition)).toBe(found.length);
    return found;
  });
}

/** What the fold sees of a log: an event of an upload that it has folded before is only that (R-FOLD-5). */
function folded(log: StoredRecord[][]) {
  return log.map((records) => {
    const seen = new Map<string, number>();
    return records.map(({ key, value, partition, offset, ...rest }) => {
      const event = decodeIfIntact(value);
      if (!event) return { key, partition, offset, ...rest, value: value.toString('hex') };
      const { uploadId, ordinal } = event.envelope.cause;
      if (uploadId === null || ordinal > (seen.get(uploadId) ?? 0)) {
        if (uploadId !== null) seen.set(uploadId, ordinal);
        const ofPartition = isPartitionKey(key) && {
          envelope: { ...event.envelope, id: 'of each partition' },
        };
        return { key, partition, offset, ...rest, event: { ...event, ...ofPartition } };
      }
      return { key, partition, offset, ...rest, repeated: event.envelope.id };
    });
  });
}

const withoutOpenings = (log: StoredRecord[][]) => folded(log).map((records) => records.slice(1));

const eventsOf = (log: StoredRecord[][]) =>
  log.flatMap((records, partition) =>
    records.flatMap((record) => {
      const event = decodeIfIntact(record.value);
      return event ? [{ partition, event }] : [];
    }),
  );

function mapped(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, mapped(one, change)]));
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapped(change(name, one), change)]),
  );
}

/** The number of an asset, which readers do not see, has the partition in it. */
const withoutNumbers = (value: unknown) =>
  mapped(value, (name, one) => (name === 'number' || name === 'assetNumber' ? 'number' : one));

const withoutTimes = (value: unknown) =>
  mapped(value, (_, one) => (typeof one === 'number' && one >= T0 ? 'time' : one));

/** All that is folded, whatever partition it is in; a clock is corrected in each. */
function result(log: StoredRecord[][]) {
  const { entities, changes, acts, partitions } = foldByDomain(eventsOf(log));
  const uploads = new Map<string, { signals: number; created: number }>();
  for (const { uploads: parts } of partitions.values()) {
    for (const { uploadId, signals, counts } of parts.values()) {
      const sum = uploads.get(uploadId) ?? { signals: 0, created: 0 };
      uploads.set(uploadId, { signals: sum.signals + signals, created: sum.created + counts.created });
    }
  }
  const histories = new Map<string, unknown[]>();
  for (const { change } of changes) {
    const { id } = change.kind === 'asset' ? change.asset : change.finding;
    histories.set(id, [...(histories.get(id) ?? []), change]);
  }
  const found = {
    entities: new Map([...entities].filter(([key]) => !isPartitionKey(key))),
    uploads,
    histories,
    acts: acts.map(({ act }) => act).filter(({ action }) => action !== 'clock.corrected'),
  };
  return withoutNumbers(found);
}

/** Upload → how many of its events are folded, which `GET /uploads/{id}` compares with how many it has. */
function seen(log: StoredRecord[][]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { uploads } of foldByDomain(eventsOf(log)).partitions.values()) {
    for (const { uploadId, seen } of uploads.values()) sums.set(uploadId, (sums.get(uploadId) ?? 0) + seen);
  }
  return sums;
}

describe('a log in more partitions', () => {
  it('is the one that the edge would have written to them', () => {
    fc.assert(
      fc.property(sentToSites, sizes, (sent, [from, to]) => {
        const again = placed(writtenLog(sent, from), to);
        expect(withoutOpenings(again)).toEqual(withoutOpenings(writtenLog(sent, to)));
      }),
      { numRuns: runs(200) },
    );
  });

  it('is folded to the same assets, findings, histories, acts and outcomes of uploads', () => {
    fc.assert(
      fc.property(sentToSites, sizes, (given, [from, to]) => {
        const sent = given.map((one) => (one.what === 'upload' ? { ...one, storedBeforeRetry: null } : one));
        const old = writtenLog(sent, from);
        expect(result(placed(old, to))).toEqual(result(old));
      }),
      { numRuns: runs(100) },
    );
  });

  // The clock of a partition is that of its own entities: what was stored late keeps its own time.
  it('is folded to the same if uploads were interrupted, apart from times', () => {
    fc.assert(
      fc.property(sentToSites, sizes, (sent, [from, to]) => {
        const old = writtenLog(sent, from);
        expect(withoutTimes(result(placed(old, to)))).toEqual(withoutTimes(result(old)));
      }),
      { numRuns: runs(100) },
    );
  });

  it('has uploads done that were done, also if records of them are corrupt', () => {
    fc.assert(
      fc.property(sentToSites, sizes, fc.array(fc.nat(100)), (sent, [from, to], corrupt) => {
        const old = writtenLog(sent, from).map((records) =>
          records.map((record) =>
            corrupt.includes(record.offset) && record.offset > 0
              ? { ...record, value: record.value.subarray(0, 6) }
              : record,
          ),
        );
        expect(seen(placed(old, to))).toEqual(seen(old));
      }),
      { numRuns: runs(200) },
    );
  });

  it('numbers the events of an upload around a corrupt record as if it were in each partition', () => {
    const hosts = [0, 1, 2, 3, 4, 5];
    const [old] = writtenLog([{ what: 'upload', hosts, isFull: true, storedBeforeRetry: null }], 1);
    old![2]!.value = old![2]!.value.subarray(0, 6);
    const again = placed([old!], 6);
    const parts = again.map((records) => eventsOf([records.slice(1)]).map(({ event }) => event.envelope));
    const stored = parts.filter((part) => part.length > 0);
    const last = stored.map((part) => part.at(-1)!.cause);
    expect(stored.length).toBeGreaterThan(1);
    expect(last.map(({ ordinal }) => ordinal)).toEqual(last.map(({ count }) => count));
    expect(last.reduce((sum, { count }) => sum + count, 0)).toBe(old!.length - 1);
    expect(stored.map(([first]) => first!.upload === null)).toEqual(stored.map(() => false));
  });
});
