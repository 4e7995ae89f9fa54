export { scoreAsset } from './asset-score.ts';
export type * from './asset-timeline.ts';
export * as backtest from './backtest/index.ts';
export * from './best-fixes.ts';
export type { ContributionRange } from './contribution-range.ts';
export * from './counted.ts';
export { bareCvssVector } from './cvss-vector.ts';
export { explainMove } from './explain/explain-move.ts';
export { type ChoiceSpan, choiceSpans, type ExplainedSpan, explainPeriod } from './explain/explain-period.ts';
export type { Explanation } from './explain/explanation.ts';
export { type AssetMove, CAUSE_KINDS } from './explain/moment.ts';
export {
  addRiskSums,
  EMPTY_RISK_SUM,
  groupScore,
  type RiskSum,
  riskSumOf,
  subtractRiskSum,
} from './group-score.ts';
export { MovingRisk } from './moving-risk.ts';
export * as posture2 from './posture2/index.ts';
export { fromMillionths, HUNDREDTHS } from './risk-score.ts';
export * from './score-timeline.ts';
export type { EpssForecast, ScoringCatalogue } from './scoring-catalogue.ts';
export * from './scoring-choice.ts';
export {
  type AssetFacts,
  activeUntilOf,
  type FindingFacts,
  findingFactsOf,
  NEVER_ENDS,
  type ScoringSubject,
} from './scoring-facts.ts';
export { isScoringModel, SCORING_MODELS, type ScoringModel } from './scoring-model.ts';
export * from './stored-risk.ts';
export { applyWhatIf, type WhatIf } from './what-if.ts';
export { withoutOverruled } from './without-overruled.ts';
