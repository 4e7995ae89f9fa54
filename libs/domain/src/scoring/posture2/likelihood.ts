import { likelihoodOf } from '../hazard.ts';
import { squareRoot } from './integers.ts';
import { type Interval, mapInterval, zipIntervals } from './interval.ts';
import type { HazardSums } from './risk-sums.ts';
import type { Targeting } from './targeting.ts';

/** Likelihoods are kept in whole billionths: most assets would be 0 in millionths. */
const BILLIONTHS = 1e9;

/** That an asset, or at least one asset of a group, is compromised within 30 days, in billionths. */
export interface Likelihoods {
  whole: Interval;
  /** By weaknesses only. */
  forecast: Interval;
  /** By detections only. */
  evidence: Interval;
}

export function likelihoodsOf(sums: HazardSums, targeting: Targeting): Likelihoods {
  const forecast = forecastSquares(sums, targeting);
  return {
    whole: mapInterval(
      zipIntervals(forecast, sums.evidence, (a, b) => a + b),
      likelihoodOfSquare,
    ),
    forecast: mapInterval(forecast, likelihoodOfSquare),
    evidence: mapInterval(sums.evidence, likelihoodOfSquare),
  };
}

/** The square of the forecast's hazard, for low, best and high targeting. */
export const forecastSquares = (
  { forecast }: Pick<HazardSums, 'forecast'>,
  { lowRatio, highRatio }: Targeting,
): Interval<bigint> => ({
  low: (forecast * lowRatio ** 2n) / RATIO_SQUARE,
  best: forecast,
  high: (forecast * highRatio ** 2n) / RATIO_SQUARE,
});

const RATIO_SQUARE = 10n ** 12n;

const likelihoodOfSquare = (square: bigint): number =>
  Math.round(likelihoodOf(Number(squareRoot(square))) * BILLIONTHS);

export const fromBillionths = (billionths: number): number => billionths / BILLIONTHS;
