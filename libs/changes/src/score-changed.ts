import type { ScoreChanged } from '#libs/contracts';
import { breachLikelihoodOf, pointsOf } from '#libs/views';

/** A row of `score_changes`. */
export interface ScoreChangeRow {
  sequence: number;
  at: number;
  asset_id: string;
  asset_name: string;
  /** Hundredths of a point. */
  score: number | null;
  previous_score: number | null;
  /** Millionths, of posture-1. */
  likelihood: number | null;
  previous_likelihood: number | null;
  /** Billionths, of posture-2. */
  likelihood_best: number | null;
  previous_likelihood_best: number | null;
  is_gone: boolean;
  model: string;
  catalogue: string;
}

/** The score as its row has it, in the words of the API; times are epoch milliseconds. */
export const scoreChanged = (row: ScoreChangeRow, partition: number): ScoreChanged => ({
  assetId: row.asset_id,
  assetName: row.asset_name,
  score: pointsOf(row.score),
  breachLikelihood: breachLikelihoodOf(row.likelihood, row.likelihood_best),
  previousScore: pointsOf(row.previous_score),
  previousBreachLikelihood: breachLikelihoodOf(row.previous_likelihood, row.previous_likelihood_best),
  at: row.at,
  model: row.model,
  catalogue: row.catalogue,
  change: { name: row.is_gone ? 'deleted' : 'changed', at: row.at, sequence: row.sequence, partition },
});
