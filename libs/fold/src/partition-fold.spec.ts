import { describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { initialEntity } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { signal, T0, upload } from '../../../test/support/scenario.ts';
import { LogHoleError } from './log-hole.ts';
import { MemoryFold } from './memory-fold.ts';
import { PARTITION_START, PartitionFold } from './partition-fold.ts';

const KEY = 'machine:web01';
const EVENTS = upload(1, T0, [signal('a'), signal('b')], { entityKey: KEY });

const records = (from = 0): StoredRecord[] =>
  EVENTS.map((event, i) => ({
    partition: 3,
    offset: from + i,
    key: KEY,
    value: encodeIntake(event),
    headers: {},
    storedAt: T0,
  }));
const corrupt = (offset: number): StoredRecord => ({
  ...records()[0]!,
  offset,
  value: records()[0]!.value.subarray(0, 20),
});

function folded(from: StoredRecord[], end = from.length) {
  const fold = new PartitionFold(3);
  fold.ensureEntity(KEY);
  return { fold, batch: fold.foldBatch(fold.decode(from).decoded, end) };
}

describe('the fold of a partition', () => {
  it('moves the position with the events, and numbers their changes', () => {
    const { fold, batch } = folded(records());
    expect(batch.changes.map(({ change, sequence, offset }) => [change.kind, sequence, offset])).toEqual([
      ['asset', 1, 0],
      ['finding', 1, 0],
      ['finding', 2, 1],
    ]);
    expect(fold.position).toEqual({
      nextOffset: 2,
      clock: T0,
      assetCounter: 1,
      findingSequence: 2,
      assetSequence: 1,
    });
  });

  it('continues from a position as one fold of both batches', () => {
    const [first, second] = records();
    const before = folded([first!]).fold;
    const { partition, uploads } = before.state;
    const after = new PartitionFold(partition, before.position, before.entities, uploads);
    after.foldBatch(after.decode([second!]).decoded, 2);
    const whole = folded(records()).fold;
    expect([after.position, after.state, after.entities]).toEqual([
      whole.position,
      whole.state,
      whole.entities,
    ]);
  });

  it('skips a corrupt record, and quarantines it with the clock before it', () => {
    const { fold } = folded(records());
    const { decoded, quarantined } = fold.decode([corrupt(2)]);
    expect([decoded, quarantined.map(({ at }) => at)]).toEqual([[], [T0]]);
    expect(fold.foldBatch(decoded, 3).changes).toEqual([]);
    expect(fold.position.nextOffset).toBe(3);
  });

  it.each([
    ['before the first record', records(1), 'offset 1, but 0 is next'],
    ['between two records', [records()[0]!, ...records(2)], 'offset 2, but 1 is next'],
  ])('rejects records with a hole %s', (_, found, said) => {
    const fold = new PartitionFold(3);
    expect(() => fold.decode(found)).toThrow(LogHoleError);
    expect(() => fold.decode(found)).toThrow(`partition 3 continues at ${said}: records are missing`);
    expect(fold.position).toEqual(PARTITION_START);
  });
});

describe('the fold of a partition in memory', () => {
  it('recognizes a repeated event of an upload of which it keeps only a mark', () => {
    const fold = new MemoryFold(3);
    for (const event of EVENTS) fold.fold(event);
    for (let n = 2; n <= 1_100; n += 1) fold.fold(upload(n, T0 + n, [signal('c')], { entityKey: KEY })[0]!);
    expect(fold.state.uploads.size).toBeLessThan(1_000);
    expect(fold.fold(EVENTS[0]!).changes).toEqual([]);
    expect(fold.entities.get(KEY)).not.toEqual(initialEntity(KEY));
  });
});
