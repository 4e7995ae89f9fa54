import { type RawBuilder, sql } from 'kysely';

/** The likelihoods of a row of `asset_scores` or `score_history`. */
export interface StoredLikelihoods {
  /** Billionths; null for posture-1, and without a score. */
  likelihoodLow: number | null;
  likelihoodBest: number | null;
  likelihoodHigh: number | null;
}

/** SQL of `StoredLikelihoods`. @param row alias of the table */
export const likelihoodColumns = (row: 'h' | 'r'): RawBuilder<StoredLikelihoods> => sql`
  ${sql.ref(`${row}.likelihood_low`)} as "likelihoodLow", ${sql.ref(`${row}.likelihood_best`)} as "likelihoodBest",
  ${sql.ref(`${row}.likelihood_high`)} as "likelihoodHigh"`;
