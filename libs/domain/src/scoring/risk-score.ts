import { likelihoodOf } from './hazard.ts';

/** Scores are kept in whole hundredths, so that they and their shares add up exactly. */
export const HUNDREDTHS = 100;
const SCORE_MAX = 100;
const LIKELIHOOD_UNITS = 1e6;

/** Risk before rounding, 0 to 10,000: in hundredths of a point. */
export const exactRisk = (hazard: number, weight: number): number =>
  SCORE_MAX * HUNDREDTHS * likelihoodOf(hazard) * weight;

/** Risk = 100 × likelihood × criticality weight, in hundredths of a point. The one place that rounds it. */
export const riskHundredths = (hazard: number, weight: number): number =>
  Math.round(exactRisk(hazard, weight));

/** Breach likelihood in whole millionths. */
export const likelihoodMillionths = (hazard: number): number =>
  Math.round(likelihoodOf(hazard) * LIKELIHOOD_UNITS);

export const fromMillionths = (millionths: number): number => millionths / LIKELIHOOD_UNITS;
