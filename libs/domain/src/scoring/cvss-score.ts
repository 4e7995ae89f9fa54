import { Cvss3P0, Cvss3P1, Cvss4P0 } from './cvss-calculators.ts';
import { formatCvssVector, type ParsedVector } from './cvss-vector.ts';
import { cvss2Score } from './cvss2-score.ts';

const calculators = { '3.0': Cvss3P0, '3.1': Cvss3P1, '4.0': Cvss4P0 };

/**
 * The score of a vector with all of its metrics: environmental if it has environmental metrics, temporal (threat) if it
 * has only those, else base. 0 to 10 with one decimal.
 */
export const cvssScore = (vector: ParsedVector): number =>
  vector.version === '2.0'
    ? cvss2Score(vector.metrics)
    : new calculators[vector.version](formatCvssVector(vector)).calculateScores().overall;
