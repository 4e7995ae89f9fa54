import { describe, expect, it } from '@jest/globals';
import { threatenedAsset } from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import type { Level } from '../../events.ts';
import { impactOf } from './impact.ts';
import { vectorFactsOf } from './vector-facts.ts';

const of = (impacts: string | null, value = 5, level: Level | null = null) =>
  impactOf(
    { value },
    vectorFactsOf({ vector: impacts && `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/${impacts}`, version: null }),
    threatenedAsset({
      confidentialityRequirement: level,
      integrityRequirement: level,
      availabilityRequirement: level,
    }),
  );

describe('impact', () => {
  it.each([
    ['C:H/I:H/A:H', null, 100],
    ['C:H/I:H/A:H', 'low', 68],
    ['C:H/I:N/A:N', null, 61],
    ['C:H/I:N/A:N', 'high', 92],
    ['C:H/I:N/A:N', 'critical', 92],
    ['C:L/I:N/A:N', 'high', 36],
    ['C:L/I:N/A:N', 'info', 20],
    ['C:N/I:N/A:N', null, 20],
    ['C:H/I:N/A:N/CR:H', null, 92],
    ['C:H/I:N/A:N/CR:H', 'low', 31],
  ] as const)('of %s with requirement %s is %d', (impacts, level, impact) => {
    expect(of(impacts, 5, level)).toBe(impact);
  });

  it('is the severity without a vector, at least 20', () => {
    expect([0, 1.9, 5.5, 10].map((value) => of(null, value, 'high'))).toEqual([20, 20, 55, 100]);
  });
});
