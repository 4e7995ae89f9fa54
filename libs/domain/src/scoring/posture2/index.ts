export { threatenedAssetOf } from './asset-facts.ts';
export * from './asset-risk.ts';
export { POSTURE_2, scoreAsset } from './asset-score.ts';
export { assetThreats } from './asset-threats.ts';
export * from './best-fixes.ts';
export { cveThreats } from './cve-threats.ts';
export { explainMove } from './explain/explain-move.ts';
export type * from './facts.ts';
export { assessedFindingOf, detectionState, type FindingPast } from './finding-facts.ts';
export { canDependOnPast, dependsOnPast, type FollowedPast, pastWith } from './finding-past.ts';
export * from './group-risk.ts';
export { type Interval, mapInterval } from './interval.ts';
export { fromBillionths, type Likelihoods } from './likelihood.ts';
export { addLossSums, lossSumsOf, NO_LOSS_SUMS } from './loss/estimated-loss.ts';
export { avoidedLoss, EXCEEDANCES, lossFigures } from './loss/loss-figures.ts';
export { type LossEffects, type LossFix, likelyFixes, lossEffects } from './loss/loss-fixes.ts';
export { LOSS_MAX, LOSS_MIN, type LossRange } from './loss/loss-range.ts';
export {
  type CriticalityRanges,
  type LossRanges,
  lossRangeFinder,
  lossRangesProblem,
} from './loss/loss-ranges.ts';
export { seedOf } from './loss/random.ts';
export { type LossAsset, LossSimulation, simulateYears, yearsOf } from './loss/simulate-loss.ts';
export { yearlyHazards } from './loss/yearly-hazards.ts';
export { isPublicAddress } from './reach.ts';
export { SCORE_BANDS, type ScoreBand } from './risk-points.ts';
export { NO_HAZARD_SUMS } from './risk-sums.ts';
export { riskTimeline } from './risk-timeline.ts';
export type { ThreatCatalogueTimeline, ThreatTimeline } from './running-risk.ts';
export * from './ssvc.ts';
export * from './ssvc-decisions.ts';
export * from './targeting.ts';
export { applyWhatIf } from './what-if.ts';
