import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partitionOf } from './partition-of.ts';

/** From Apache Kafka's own UtilsTest.testMurmur2: the signed hash of the default partitioner. */
const VECTORS: [string, number][] = [
  ['21', -973_932_308],
  ['foobar', -790_332_482],
  ['a-little-bit-long-string', -985_981_536],
  ['a-little-bit-longer-string', -1_486_304_829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58_897_971],
  ['abc', 479_470_107],
];

describe('partitionOf', () => {
  it.each(VECTORS)('assigns %s to the same partition as Kafka’s own clients', (key, hash) => {
    for (const partitions of [1, 12, 48, 1_000_003]) {
      expect(partitionOf(key, partitions)).toBe((hash & 0x7fffffff) % partitions);
    }
  });

  it('hashes the bytes of UTF-8, and answers a partition that exists (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 1_024 }), (key, partitions) => {
        const partition = partitionOf(key, partitions);
        expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
      }),
    );
  });
});
