import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Level, posture2 } from '#libs/domain';
import { LEVELS } from '../assets/levels.ts';
import { lossRangesOf, lossRows, lossRowsProblem } from './loss-rows.ts';
import type { LossRangeDto } from './settings.dto.ts';

const row = (
  department: string | null | undefined,
  criticality: Level,
  given: object = {},
): LossRangeDto => ({
  currency: 'EUR',
  ...(department !== undefined && { department }),
  criticality,
  min: 1,
  max: 2,
  ...given,
});

const range = fc.record({ min: fc.constantFrom(0.01, 5), max: fc.constantFrom(5, 1e15) });
const byCriticality = (from: number) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...LEVELS), range), {
      minLength: from,
      selector: ([level]) => level,
    })
    .map((levels): posture2.CriticalityRanges => Object.fromEntries(levels));
const ranges: fc.Arbitrary<posture2.LossRanges> = fc
  .record({
    currency: fc.constantFrom('EUR', 'JPY'),
    byCriticality: byCriticality(0),
    byDepartment: fc.uniqueArray(
      fc.record({
        department: fc.constantFrom('Finance', 'null', 'Größe', 'IT'),
        byCriticality: byCriticality(1),
      }),
      { selector: ({ department }) => department },
    ),
  })
  .filter((given) => given.byDepartment.length + Object.keys(given.byCriticality).length > 0);

describe('rows of losses', () => {
  it('become ranges, and those the same rows again', () => {
    fc.assert(
      fc.property(ranges, (given) => {
        const rows = lossRows(given);
        expect(lossRowsProblem(rows)).toBeNull();
        expect(lossRangesOf(rows)).toEqual(given);
        expect(lossRows(lossRangesOf(rows))).toEqual(rows);
      }),
    );
  });

  it('are the same ranges in any order, apart from the order of departments', () => {
    fc.assert(
      fc.property(
        ranges.chain((given) => fc.shuffledSubarray(lossRows(given), { minLength: lossRows(given).length })),
        (rows) => {
          const again = lossRows(lossRangesOf(rows));
          expect(again).toHaveLength(rows.length);
          expect(again).toEqual(expect.arrayContaining(rows));
        },
      ),
    );
  });

  it('are none without ranges, and the reverse', () => {
    expect(lossRows(null)).toEqual([]);
    expect(lossRangesOf([])).toBeNull();
  });

  it('of one department are one, in any case, with the name of the first', () => {
    expect(lossRangesOf([row('Finance', 'low'), row(undefined, 'low'), row('FINANCE', 'high')])).toEqual({
      currency: 'EUR',
      byCriticality: { low: { min: 1, max: 2 } },
      byDepartment: [
        { department: 'Finance', byCriticality: { low: { min: 1, max: 2 }, high: { min: 1, max: 2 } } },
      ],
    });
  });
});

describe('the problem of rows of losses', () => {
  const departments = (count: number) => Array.from({ length: count }, (_, i) => row(`D${i}`, 'low'));

  it.each([
    ['none', [row(null, 'low'), row('IT', 'low'), row('IT', 'high')], null],
    ['no rows', [], null],
    ['min above max', [row(null, 'low'), row(null, 'high', { min: 3 })], 'loss.1: min must not be above max'],
    [
      'two currencies',
      [row(null, 'low'), row('IT', 'low', { currency: 'USD' })],
      'loss.1.currency must be the same in all rows',
    ],
    [
      'a criticality twice',
      [row(null, 'low'), row('IT', 'low'), row(undefined, 'low')],
      'loss.2: another row has the same department and criticality',
    ],
    [
      'a criticality of a department twice',
      [row('IT', 'low'), row('it', 'low')],
      'loss.1: another row has the same department and criticality',
    ],
    ['as many departments as possible', departments(100), null],
    ['too many departments', departments(101), 'loss must contain at most 100 departments'],
  ])('%s', (_, rows, problem) => {
    expect(lossRowsProblem(rows)).toBe(problem);
  });
});
