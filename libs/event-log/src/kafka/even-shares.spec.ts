import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evenShares } from './even-shares.ts';

describe('evenShares', () => {
  it('assigns every partition to one member, as evenly as possible, for any order of members (property)', () => {
    const members = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 60 }), (ids, partitions) => {
        const shares = evenShares(ids, partitions);
        const given = [...shares.values()].flat().sort((a, b) => a - b);
        expect(given).toEqual(Array.from({ length: partitions }, (_, partition) => partition));
        const sizes = ids.map((id) => shares.get(id)!.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(evenShares([...ids].reverse(), partitions)).toEqual(shares);
      }),
    );
  });
});
