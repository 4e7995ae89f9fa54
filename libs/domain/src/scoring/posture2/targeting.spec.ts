import { describe, expect, it } from '@jest/globals';
import { DEFAULT_INCIDENT_RATES, DEFAULT_TARGETING, incidentRatesProblem, targetingOf } from './targeting.ts';

describe('targeting', () => {
  it('follows from the rates of incidents', () => {
    expect(DEFAULT_TARGETING).toEqual({ factor: 401_149, lowRatio: 152_753n, highRatio: 2_947_175n });
    expect(targetingOf({ low: 0.5, best: 0.9, high: 0.99 })).toEqual({
      factor: 9_462_678,
      lowRatio: 301_030n,
      highRatio: 2_000_000n,
    });
  });

  it.each([
    [DEFAULT_INCIDENT_RATES, null],
    [{ low: 0.1, best: 0.1, high: 0.1 }, null],
    [{ low: 0, best: 0.1, high: 0.2 }, 'low, best and high must be at least 0.0001 and below 1'],
    [{ low: 0.00009, best: 0.1, high: 0.2 }, 'low, best and high must be at least 0.0001 and below 1'],
    [{ low: 0.1, best: 0.2, high: 1 }, 'low, best and high must be at least 0.0001 and below 1'],
    [{ low: 0.1, best: Number.NaN, high: 0.3 }, 'low, best and high must be at least 0.0001 and below 1'],
    [{ low: 0.3, best: 0.2, high: 0.4 }, 'low must not be above best, and best must not be above high'],
    [{ low: 0.1, best: 0.91, high: 0.95 }, 'best must be at most 0.9'],
  ])('of %j: %s', (rates, problem) => {
    expect(incidentRatesProblem(rates)).toBe(problem);
  });
});
