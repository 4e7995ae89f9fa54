import { expect, it } from '@jest/globals';
import { changeDigits, percentDigits, TWO_DIGITS } from '../../apps/console/src/parts/digits.ts';
import { directionOf, exactDirectionOf } from '../../apps/console/src/risk/direction.ts';

const text = (value: number, digits: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en', digits).format(value);

it.each([
  [0, '0'],
  [0.0000067, '0.0000067'],
  [0.00556, '0.0056'],
  [0.1234, '0.12'],
  [4.567, '4.6'],
])('%d percent are written as %s', (percents, expected) => {
  expect(text(percents, percentDigits(percents))).toBe(expected);
});

it.each([
  [0.0049, 'same', 'up', '0.0049'],
  [-0.0000489, 'same', 'down', '-0.000049'],
  [0, 'same', 'same', '0'],
  [0.5, 'up', 'up', '0.50'],
])(
  'a change by %d has the direction %s in points, and %s in percentage points: %s',
  (by, points, percents, expected) => {
    expect([directionOf(by), exactDirectionOf(by), text(by, changeDigits(by))]).toEqual([
      points,
      percents,
      expected,
    ]);
  },
);

it('writes small numbers of expected compromised assets with two digits', () => {
  expect([0.000169, 0.001108, 0.003263, 12.34].map((count) => text(count, TWO_DIGITS))).toEqual([
    '0.00017',
    '0.0011',
    '0.0033',
    '12',
  ]);
});
