import { groupScore, posture2, type ScoringChoice } from '#libs/domain';
import type { ScoreSums } from '#libs/scores';
import type { StoredLikelihoods } from './stored-likelihoods.ts';

/** Of what is not known exactly. */
type Interval = posture2.Interval;

/** Likelihoods of posture-2, 0 to 1; null if the score is. */
export interface LikelihoodViews {
  likelihood: Interval | null;
  forecastLikelihood: Interval | null;
  evidenceLikelihood: Interval | null;
}

/** The score of a group by the model in force; posture-1 has no intervals. */
export interface GroupRiskView extends Partial<LikelihoodViews> {
  score: number | null;
  breachLikelihood: number | null;
  expectedCompromised?: Interval | null;
  assets: number;
  scoredAssets: number;
}

export function groupRiskView({ model, incidentRates }: ScoringChoice, sums: ScoreSums): GroupRiskView {
  if (model === 'posture-1') return groupScore(sums);
  const { likelihoods, ...risk } = posture2.groupRisk(sums, posture2.targetingOf(incidentRates));
  const views = likelihoodViews(likelihoods);
  return { ...risk, breachLikelihood: views.likelihood?.best ?? null, ...views };
}

export const likelihoodViews = (likelihoods: posture2.Likelihoods | null): LikelihoodViews => ({
  likelihood: intervalView(likelihoods?.whole ?? null),
  forecastLikelihood: intervalView(likelihoods?.forecast ?? null),
  evidenceLikelihood: intervalView(likelihoods?.evidence ?? null),
});

/** The interval of a stored score; nothing for posture-1. */
export const storedLikelihoodView = (
  model: string,
  { likelihoodLow: low, likelihoodBest: best, likelihoodHigh: high }: StoredLikelihoods,
): Pick<Partial<LikelihoodViews>, 'likelihood'> =>
  model === 'posture-1'
    ? {}
    : {
        likelihood: low === null || best === null || high === null ? null : intervalView({ low, best, high }),
      };

const intervalView = (billionths: Interval | null): Interval | null =>
  billionths && {
    low: posture2.fromBillionths(billionths.low),
    best: posture2.fromBillionths(billionths.best),
    high: posture2.fromBillionths(billionths.high),
  };
