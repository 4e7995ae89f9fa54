import type { Level } from '../../../events.ts';
import { HUNDREDTHS_MAX, HUNDREDTHS_OF_LOG, levelWeight, REFERENCE_RISK } from '../risk-points.ts';

/** What the score of an asset depends on, and the score in hundredths, not rounded. */
export interface ExactScore {
  /** Σ (h × i)². */
  weighted: bigint;
  weight: number;
  hundredths: number;
}

export function exactScore(weighted: bigint, criticality: Level | null): ExactScore {
  const weight = levelWeight(criticality);
  const logarithm = Math.log1p(riskOf({ weighted, weight }) / REFERENCE_RISK);
  return { weighted, weight, hundredths: Math.min(HUNDREDTHS_MAX, HUNDREDTHS_OF_LOG * logarithm) };
}

const riskOf = ({ weighted, weight }: Pick<ExactScore, 'weighted' | 'weight'>): number =>
  weight * Math.sqrt(Number(weighted));

/** The part of an asset in its groups. */
export const powerOf = ({ hundredths }: ExactScore): number => hundredths ** 4;

/**
 * The mean slope of the power over Σ (h × i)², between two scores of one weight; the derivative if they are equal. In
 * forms that lose no digits if they are nearly equal.
 */
export function powerSlope(a: ExactScore, b: ExactScore): number {
  const change = Number(b.weighted - a.weighted);
  const risks = riskOf(a) + riskOf(b);
  if (risks === 0) return 0;
  const sums = (a.hundredths + b.hundredths) * (a.hundredths ** 2 + b.hundredths ** 2);
  if (Math.max(a.hundredths, b.hundredths) >= HUNDREDTHS_MAX) {
    return change === 0 ? 0 : ((b.hundredths - a.hundredths) / change) * sums;
  }
  const riskSlope = a.weight ** 2 / risks;
  const base = REFERENCE_RISK + riskOf(a);
  const logSlope = change === 0 ? riskSlope / base : Math.log1p((riskSlope * change) / base) / change;
  return HUNDREDTHS_OF_LOG * logSlope * sums;
}

/** The mean slope of the fourth root between two numbers that are not negative; the derivative if they are equal. */
export function rootSlope(a: number, b: number): number {
  const [x, y] = [Math.sqrt(Math.sqrt(a)), Math.sqrt(Math.sqrt(b))];
  return x + y === 0 ? 0 : 1 / ((x + y) * (x * x + y * y));
}
