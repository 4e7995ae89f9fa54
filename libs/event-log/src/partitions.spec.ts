import { describe, expect, it } from '@jest/globals';
import { partitionOf } from '#libs/contracts';
import { assertPartition, assertTrimmable, placeOf } from './partitions.ts';

describe('a partition', () => {
  it.each([0, 3])('%d is one of four', (partition) => {
    expect(() => assertPartition(partition, 4)).not.toThrow();
  });

  it.each([-1, 4, 1.5, Number.NaN])('%d is not one of four', (partition) => {
    expect(() => assertPartition(partition, 4)).toThrow(
      new RangeError(`partition ${partition} does not exist: this log has 4 partitions, starting at 0`),
    );
  });
});

describe('the place of a record', () => {
  it('is the partition that it names, else that of its key', () => {
    expect(placeOf({ key: 'machine:web01', partition: 3 }, 4)).toBe(3);
    expect(placeOf({ key: 'machine:web01' }, 4)).toBe(partitionOf('machine:web01', 4));
    expect(() => placeOf({ key: 'machine:web01', partition: 4 }, 4)).toThrow(RangeError);
  });
});

describe('records before an offset', () => {
  it.each([0, 5])('can be removed up to %d, if the partition ends at 5', (before) => {
    expect(() => assertTrimmable(before, 5)).not.toThrow();
  });

  it.each([-1, 6, 0.5])('cannot be removed up to %d, if it ends at 5', (before) => {
    expect(() => assertTrimmable(before, 5)).toThrow(
      new RangeError(`nothing can be removed before offset ${before}: the partition ends at 5`),
    );
  });
});
