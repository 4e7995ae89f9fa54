import {
  addRiskSums,
  EMPTY_RISK_SUM,
  posture2,
  type RiskSum,
  riskSumOf,
  type StoredRisk,
  subtractRiskSum,
} from '#libs/domain';
import { likelihoodOf, pointsOf } from '#libs/views';

/**
 * Sums over the live assets of a group, for both models: `likelihood` sums the assets that posture-1 scored,
 * `compromised` and `hazards` the assets that posture-2 scored.
 */
export interface ScoreSums extends RiskSum, posture2.GroupSums {}

export const EMPTY_SCORE_SUMS: Readonly<ScoreSums> = { ...posture2.EMPTY_GROUP_SUMS, ...EMPTY_RISK_SUM };

/** Of a group of one asset. */
export function scoreSumsOf(risk: StoredRisk): ScoreSums {
  if (risk.model === 'posture-1') {
    const scored = { score: pointsOf(risk.score), breachLikelihood: likelihoodOf(risk.likelihood) };
    return { ...EMPTY_SCORE_SUMS, ...riskSumOf(scored) };
  }
  const { score, likelihoods, sums } = risk;
  const member = { score, likelihoods: likelihoods && { whole: likelihoods }, sums };
  return { ...posture2.groupSumsOf(member), likelihood: 0 };
}

export const addScoreSums = (a: ScoreSums, b: ScoreSums): ScoreSums => ({
  ...posture2.addGroupSums(a, b),
  ...addRiskSums(a, b),
});

/** A group without a part of it. */
export const subtractScoreSums = (from: ScoreSums, part: ScoreSums): ScoreSums => ({
  ...posture2.subtractGroupSums(from, part),
  ...subtractRiskSum(from, part),
});

/** Whether adding them changes nothing. */
export function areNoSums({ compromised, hazards, ...sums }: ScoreSums): boolean {
  const { forecast, evidence } = hazards;
  return [...Object.values(sums), ...Object.values(compromised), forecast, ...Object.values(evidence)].every(
    (sum) => !sum,
  );
}
