import { sql } from 'kysely';
import type { ScoreSums } from '#libs/scores';

/** Σ (score in hundredths)⁴ over rows of `score_history`, exact: as `RiskSum` has it. */
const FOURTH_POWERS = sql`coalesce(sum(score::bigint * score * score * score), 0)`;

/** SQL of the sums over rows of `score_history`, by the names of `score_sums`. */
export const SUMS_OF_ASSETS = sql`
  count(*) as assets, count(score) as scored_assets, ${FOURTH_POWERS} as fourth_powers,
  coalesce(sum(likelihood), 0) as likelihood, coalesce(sum(likelihood_low), 0) as compromised_low,
  coalesce(sum(likelihood_best), 0) as compromised_best, coalesce(sum(likelihood_high), 0) as compromised_high,
  coalesce(sum(forecast), 0) as forecast, coalesce(sum(evidence_low), 0) as evidence_low,
  coalesce(sum(evidence_best), 0) as evidence_best, coalesce(sum(evidence_high), 0) as evidence_high`;

/** SQL of the sums over rows with these columns, of disjoint groups. */
export const SUMS_OF_SUMS = sql`
  coalesce(sum(assets), 0) as assets, coalesce(sum(scored_assets), 0) as scored_assets,
  coalesce(sum(fourth_powers), 0) as fourth_powers, coalesce(sum(likelihood), 0) as likelihood,
  coalesce(sum(compromised_low), 0) as compromised_low, coalesce(sum(compromised_best), 0) as compromised_best,
  coalesce(sum(compromised_high), 0) as compromised_high, coalesce(sum(forecast), 0) as forecast,
  coalesce(sum(evidence_low), 0) as evidence_low, coalesce(sum(evidence_best), 0) as evidence_best,
  coalesce(sum(evidence_high), 0) as evidence_high`;

/** SQL of these columns as `scoreSums` reads them. */
export const SUM_COLUMNS = sql`
  assets, scored_assets as "scoredAssets", fourth_powers::text as "fourthPowers", likelihood,
  compromised_low as "compromisedLow", compromised_best as "compromisedBest", compromised_high as "compromisedHigh",
  forecast::text as forecast, evidence_low::text as "evidenceLow", evidence_best::text as "evidenceBest",
  evidence_high::text as "evidenceHigh"`;

/** Exact numbers in digits. */
export interface SumColumns {
  assets: number;
  scoredAssets: number;
  fourthPowers: string;
  likelihood: number;
  compromisedLow: number;
  compromisedBest: number;
  compromisedHigh: number;
  forecast: string;
  evidenceLow: string;
  evidenceBest: string;
  evidenceHigh: string;
}

export const scoreSums = (row: SumColumns): ScoreSums => ({
  assets: row.assets,
  scoredAssets: row.scoredAssets,
  fourthPowers: BigInt(row.fourthPowers),
  likelihood: row.likelihood,
  compromised: { low: row.compromisedLow, best: row.compromisedBest, high: row.compromisedHigh },
  hazards: {
    forecast: BigInt(row.forecast),
    evidence: {
      low: BigInt(row.evidenceLow),
      best: BigInt(row.evidenceBest),
      high: BigInt(row.evidenceHigh),
    },
  },
});
