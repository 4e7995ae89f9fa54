import type { Level } from '../../events.ts';
import { squareRoot } from './integers.ts';

/** How much an asset matters, in hundredths: each level halves (chosen). */
export const LEVEL_WEIGHTS: Readonly<Record<Level, number>> = {
  critical: 100,
  high: 50,
  medium: 25,
  low: 12,
  info: 6,
};

/** Of an asset that nobody rated. */
export const UNRATED_WEIGHT = 25;

export const levelWeight = (criticality: Level | null): number =>
  criticality ? LEVEL_WEIGHTS[criticality] : UNRATED_WEIGHT;

export const HUNDREDTHS_MAX = 10_000;
/** 10⁻⁷ in units of the risk, 10⁻¹⁴: about the smallest hazard of one weakness. */
export const REFERENCE_RISK = 1e7;
const GREATEST_RISK = 1e14;
/** Hundredths of a point for a unit of ln(1 + risk ÷ reference). */
export const HUNDREDTHS_OF_LOG = HUNDREDTHS_MAX / Math.log1p(GREATEST_RISK / REFERENCE_RISK);

/**
 * Score of an asset in hundredths of a point: logarithmic, so that it also ranks assets that are all bad.
 *
 * @param weighted Σ (h × i)² of the asset
 */
export function scoreHundredths(weighted: bigint, criticality: Level | null): number {
  const weight = BigInt(levelWeight(criticality));
  const risk = Number(squareRoot(weighted * weight ** 2n));
  const share = Math.log1p(risk / REFERENCE_RISK) / Math.log1p(GREATEST_RISK / REFERENCE_RISK);
  return Math.min(HUNDREDTHS_MAX, Math.round(HUNDREDTHS_MAX * share));
}

/** Names of ranges of scores, the greatest first. */
export const SCORE_BANDS = [
  { band: 'evidence', from: 80 },
  { band: 'exposed', from: 55 },
  { band: 'likely', from: 35 },
  { band: 'hygiene', from: 0 },
] as const;

export type ScoreBand = (typeof SCORE_BANDS)[number]['band'];

/** @param score points, 0 to 100 */
export const bandOf = (score: number): ScoreBand => SCORE_BANDS.find(({ from }) => score >= from)!.band;
