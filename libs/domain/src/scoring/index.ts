export { type AssetScore, type Contribution, riskOf, scoreAsset } from './asset-score.ts';
export type * from './asset-timeline.ts';
export * from './best-fixes.ts';
export * from './counted.ts';
export { CRITICALITY_WEIGHTS } from './criticality-weight.ts';
export { type CauseShare, type Explanation, explainMove, type MoveOptions } from './explain/explain-move.ts';
export type { AssetMove, CauseKind as ScoreCauseKind, Moment as ScoringMoment } from './explain/moment.ts';
export {
  addRiskSums,
  EMPTY_RISK_SUM,
  type GroupScore,
  groupScore,
  type RiskSum,
  riskSumOf,
  type ScoredAsset,
  subtractRiskSum,
} from './group-score.ts';
export { fromMillionths, HUNDREDTHS } from './risk-score.ts';
export * from './score-timeline.ts';
export type { EpssForecast, KevEntry, ScoringCatalogue } from './scoring-catalogue.ts';
export { type AssetFacts, type FindingFacts, findingFactsOf, type ScoringSubject } from './scoring-facts.ts';
export { SCORING_MODEL } from './scoring-model.ts';
export { SEVERITY_TABLE, type SeverityRow } from './severity-table.ts';
export type { CveStateLookup, TechniqueLookup } from './valid-mappings.ts';
export { applyWhatIf, type WhatIf } from './what-if.ts';
