import { type RawBuilder, sql } from 'kysely';
import type { StoredRisk } from '#libs/domain';

/** A risk as a row of `score_history` has it. */
export interface RiskColumns {
  model: string;
  /** Hundredths of a point; null if nothing counts. */
  score: number | null;
  /** Millionths, of posture-1. */
  likelihood: number | null;
  /** Billionths, of posture-2. */
  likelihoodLow: number | null;
  likelihoodBest: number | null;
  likelihoodHigh: number | null;
  /** Whole numbers in digits, of posture-2. */
  forecast: string | null;
  evidenceLow: string | null;
  evidenceBest: string | null;
  evidenceHigh: string | null;
  weighted: string | null;
}

/** SQL of the columns of a row `h` of `score_history`. */
export const RISK_COLUMNS: RawBuilder<RiskColumns> = sql`
  h.model, h.score, h.likelihood, h.likelihood_low as "likelihoodLow", h.likelihood_best as "likelihoodBest",
  h.likelihood_high as "likelihoodHigh", h.forecast::text as forecast, h.evidence_low::text as "evidenceLow",
  h.evidence_best::text as "evidenceBest", h.evidence_high::text as "evidenceHigh", h.weighted::text as weighted`;

const ONLY_POSTURE_1 = {
  likelihoodLow: null,
  likelihoodBest: null,
  likelihoodHigh: null,
  forecast: null,
  evidenceLow: null,
  evidenceBest: null,
  evidenceHigh: null,
  weighted: null,
};

export function columnsOf(risk: StoredRisk): RiskColumns {
  if (risk.model === 'posture-1') {
    const { model, score, likelihood } = risk;
    return { model, score, likelihood, ...ONLY_POSTURE_1 };
  }
  const { model, score, likelihoods, sums } = risk;
  return {
    model,
    score,
    likelihood: null,
    likelihoodLow: likelihoods?.low ?? null,
    likelihoodBest: likelihoods?.best ?? null,
    likelihoodHigh: likelihoods?.high ?? null,
    forecast: `${sums.forecast}`,
    evidenceLow: `${sums.evidence.low}`,
    evidenceBest: `${sums.evidence.best}`,
    evidenceHigh: `${sums.evidence.high}`,
    weighted: `${sums.weighted}`,
  };
}

export function riskOfColumns(columns: RiskColumns): StoredRisk {
  const { score, likelihood, likelihoodLow: low, likelihoodBest: best, likelihoodHigh: high } = columns;
  if (columns.model !== 'posture-2') return { model: 'posture-1', score, likelihood };
  const { forecast, evidenceLow, evidenceBest, evidenceHigh, weighted } = columns;
  return {
    model: 'posture-2',
    score,
    likelihoods: low === null || best === null || high === null ? null : { low, best, high },
    sums: {
      forecast: digits(forecast),
      evidence: { low: digits(evidenceLow), best: digits(evidenceBest), high: digits(evidenceHigh) },
      weighted: digits(weighted),
    },
  };
}

const digits = (text: string | null): bigint => BigInt(text ?? 0);
