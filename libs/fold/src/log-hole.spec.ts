import { describe, expect, it } from '@jest/globals';
import type { StoredRecord } from '#libs/event-log';
import { assertNoHole, assertReached, LogHoleError, upToHole } from './log-hole.ts';

const records = (...offsets: number[]) => offsets.map((offset) => ({ partition: 3, offset }) as StoredRecord);

describe('records that follow one another', () => {
  it.each([[[]], [[5]], [[5, 6, 7]]])('have no hole: %j', (offsets) => {
    expect(() => assertNoHole(records(...offsets), 5)).not.toThrow();
    if (offsets.length > 0) expect(upToHole(records(...offsets))).toEqual(records(...offsets));
  });
});

describe('a hole', () => {
  it.each([
    ['before the first record', [6, 7], 'partition 3 continues at offset 6, but 5 is next'],
    ['between two records', [5, 6, 8, 9], 'partition 3 continues at offset 8, but 7 is next'],
    ['of a record that comes again', [5, 5], 'partition 3 continues at offset 5, but 6 is next'],
  ])('%s stops the fold with the offsets', (_, offsets, message) => {
    expect(() => assertNoHole(records(...offsets), 5)).toThrow(LogHoleError);
    expect(() => assertNoHole(records(...offsets), 5)).toThrow(message);
  });

  it('ends what can be used of a batch, whatever its first offset is', () => {
    expect(upToHole(records(8, 9, 11, 12))).toEqual(records(8, 9));
  });

  it('is also a partition that ends before a known offset, not at it or after it', () => {
    expect(() => assertReached(3, 6, 7)).toThrow(LogHoleError);
    expect(() => assertReached(3, 6, 7)).toThrow('partition 3 ends at offset 6, but 7 is known');
    expect(() => assertReached(3, 7, 7)).not.toThrow();
    expect(() => assertReached(3, 8, 7)).not.toThrow();
  });
});
