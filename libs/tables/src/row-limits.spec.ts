import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALL_ROWS, areWithin, NO_ROWS, type RowLimits, seesAllRows, showsPlace } from './row-limits.ts';

const names = fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }));
const limits: fc.Arbitrary<RowLimits> = fc.record({ departments: names, locations: names });
const PLACES = ['a', 'b', 'c', 'other'];

const shows = (rows: RowLimits, department: string, location: string): boolean =>
  showsPlace(rows, { department, location });

describe('limits of rows', () => {
  it('are within others only if these show each of their assets', () => {
    fc.assert(
      fc.property(limits, limits, (outer, inner) => {
        const showsMore = PLACES.some((department) =>
          PLACES.some(
            (location) => shows(inner, department, location) && !shows(outer, department, location),
          ),
        );
        if (areWithin(outer, inner)) expect(showsMore).toBe(false);
      }),
    );
  });

  it('are within themselves, within all rows, and contain no rows', () => {
    fc.assert(
      fc.property(limits, (some) => {
        expect([areWithin(some, some), areWithin(ALL_ROWS, some)]).toEqual([true, true]);
        expect(areWithin(some, NO_ROWS)).toBe(true);
        expect(areWithin(some, ALL_ROWS)).toBe(seesAllRows(some));
      }),
    );
  });
});
