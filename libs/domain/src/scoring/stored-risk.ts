import { riskOf } from './asset-score.ts';
import type { Since } from './asset-timeline.ts';
import type { ScoredAsset } from './group-score.ts';
import { type AssetRisk, assetRisk } from './posture2/asset-risk.ts';
import { assetThreats } from './posture2/asset-threats.ts';
import type { ThreatCatalogue, ThreatenedAsset, ThreatenedSubject } from './posture2/facts.ts';
import type { Interval } from './posture2/interval.ts';
import type { RiskSums } from './posture2/risk-sums.ts';
import { nextDue, riskTimeline } from './posture2/risk-timeline.ts';
import type { ThreatCatalogueTimeline, ThreatTimeline } from './posture2/running-risk.ts';
import { targetingOf } from './posture2/targeting.ts';
import { fromMillionths, HUNDREDTHS } from './risk-score.ts';
import { nextCatalogueChange, nextEnd, scoreTimeline } from './score-timeline.ts';
import { type ChoiceTimeline, choiceAt, type ScoringChoice } from './scoring-choice.ts';

/** What is stored of the score of an asset, in integers, by the model that computed it. */
export type StoredRisk =
  | {
      model: 'posture-1';
      /** Hundredths of a point; null if no active finding has a valid mapping (R-SCORE-2). */
      score: number | null;
      /** Millionths; null if the score is. */
      likelihood: number | null;
    }
  | {
      model: 'posture-2';
      /** As above. */
      score: number | null;
      /** Billionths; null if the score is. */
      likelihoods: Interval | null;
      sums: RiskSums;
    };

/** The risk of an asset by the chosen model, at an instant (epoch ms). */
export const storedRisk = (
  { model, incidentRates }: ScoringChoice,
  subject: ThreatenedSubject,
  catalogue: ThreatCatalogue,
  at: number,
): StoredRisk => {
  if (model === 'posture-1') return storedScore(riskOf(subject, catalogue, at));
  const targeting = targetingOf(incidentRates);
  return storedAssetRisk(
    assetRisk(assetThreats(subject, catalogue, at, targeting), subject.asset, targeting),
  );
};

export const storedScore = ({ score, breachLikelihood }: ScoredAsset): StoredRisk => ({
  model: 'posture-1',
  score: score === null ? null : Math.round(score * HUNDREDTHS),
  likelihood: breachLikelihood === null ? null : Math.round(breachLikelihood / fromMillionths(1)),
});

export const storedAssetRisk = ({ score, likelihoods, sums }: AssetRisk): StoredRisk => ({
  model: 'posture-2',
  score,
  likelihoods: likelihoods?.whole ?? null,
  sums,
});

/** The risk of an asset until the next step; null while it does not exist or is deleted. */
export type StoredRiskStep<A> = Since<{ risk: StoredRisk; asset: A } | null>;

/**
 * The risk of an asset at every instant of a time, each by the model in force then: a step for `from`, and one for each
 * instant at which something changed. `storedRisk` at an instant gives what the last step until then has.
 *
 * @param to up to here findings have ended, detections have aged and catalogues changed
 */
export function storedRisks<A extends ThreatenedAsset>(
  choices: ChoiceTimeline,
  timeline: ThreatTimeline<A>,
  catalogue: ThreatCatalogueTimeline,
  from: number,
  to: number,
): StoredRiskStep<A>[] {
  return choices.flatMap(({ from: chosenAt, value: choice }, i) => {
    const begin = Math.max(chosenAt, from);
    const end = choices[i + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (end <= begin) return [];
    const until = Math.min(Math.max(to, begin), end - 1);
    return stepsBy(choice, timeline, catalogue, begin, until).filter((step) => step.from < end);
  });
}

function stepsBy<A extends ThreatenedAsset>(
  { model, incidentRates }: ScoringChoice,
  timeline: ThreatTimeline<A>,
  catalogue: ThreatCatalogueTimeline,
  from: number,
  to: number,
): StoredRiskStep<A>[] {
  if (model === 'posture-1') {
    return scoreTimeline(timeline, catalogue, from, to).map(({ from: at, value }) => ({
      from: at,
      value: value && { risk: storedScore(value), asset: value.asset },
    }));
  }
  return riskTimeline(timeline, catalogue, from, to, targetingOf(incidentRates)).map(
    ({ from: at, value }) => ({
      from: at,
      value: value && { risk: storedAssetRisk(value), asset: value.asset },
    }),
  );
}

/** When the risk may change next although nothing happens, as far as it is known; null if it does not. */
export function nextChange(
  choices: ChoiceTimeline,
  timeline: ThreatTimeline,
  catalogue: ThreatCatalogueTimeline,
  at: number,
): number | null {
  const own = choiceAt(choices, at).model === 'posture-1' ? nextEnd(timeline, at) : nextDue(timeline, at);
  const known = [own, nextCatalogueChange(timeline, catalogue, at)].filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Whether both are the same in every digit. */
export function isSameRisk(a: StoredRisk, b: StoredRisk): boolean {
  if (a.score !== b.score) return false;
  if (a.model === 'posture-1') return b.model === a.model && a.likelihood === b.likelihood;
  return b.model === a.model && isSame(a.likelihoods, b.likelihoods) && haveSameSums(a.sums, b.sums);
}

const haveSameSums = (a: RiskSums, b: RiskSums): boolean =>
  a.forecast === b.forecast && a.weighted === b.weighted && isSame(a.evidence, b.evidence);

const isSame = <T>(a: Interval<T> | null, b: Interval<T> | null): boolean =>
  a?.low === b?.low && a?.best === b?.best && a?.high === b?.high;
