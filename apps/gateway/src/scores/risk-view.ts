import { groupScore, posture2, type ScoringChoice } from '#libs/domain';
import type { ScoreSums } from '#libs/scores';
import type { StoredLikelihoods } from './stored-likelihoods.ts';

/** Of what is not known exactly. */
type Interval = posture2.Interval;

/** A likelihood of posture-2, 0 to 1, and its parts. */
export interface LikelihoodView extends Interval {
  forecast: Interval;
  evidence: Interval;
}

/** The score of a group by the model in force; posture-1 has no intervals. */
export interface GroupRiskView {
  score: number | null;
  breachLikelihood: number | null;
  likelihood?: LikelihoodView | null;
  expectedCompromised?: Interval | null;
  assets: number;
  scoredAssets: number;
}

export function groupRiskView({ model, incidentRates }: ScoringChoice, sums: ScoreSums): GroupRiskView {
  if (model === 'posture-1') return groupScore(sums);
  const { likelihoods, ...risk } = posture2.groupRisk(sums, posture2.targetingOf(incidentRates));
  const likelihood = likelihoodView(likelihoods);
  return { ...risk, breachLikelihood: likelihood?.best ?? null, likelihood };
}

export const likelihoodView = (likelihoods: posture2.Likelihoods | null): LikelihoodView | null =>
  likelihoods && {
    ...intervalView(likelihoods.whole),
    forecast: intervalView(likelihoods.forecast),
    evidence: intervalView(likelihoods.evidence),
  };

/** The interval of a stored score; nothing for posture-1. */
export const storedLikelihoodView = (
  model: string,
  { likelihoodLow: low, likelihoodBest: best, likelihoodHigh: high }: StoredLikelihoods,
): { likelihood?: Interval | null } =>
  model === 'posture-1'
    ? {}
    : {
        likelihood: low === null || best === null || high === null ? null : intervalView({ low, best, high }),
      };

const intervalView = (billionths: Interval): Interval =>
  posture2.mapInterval(billionths, posture2.fromBillionths);
