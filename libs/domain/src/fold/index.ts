export { ERASED_ACTION, OPENED_ACTION } from './act-of.ts';
export { isEdrManaged } from './edr-management.ts';
export type { Act, AssetChange, Change, Effects, FindingChange, Refusal } from './effects.ts';
export { noEffects } from './effects.ts';
export { cvesOf, observationOf, severityOf, techniquesOf } from './finding-state.ts';
export { evolve, fold, initialEntity, initialPartition, UnknownRulesError } from './fold.ts';
export { clockAfter, eventTime, STAMP_AHEAD_MS_MAX } from './partition-clock.ts';
export { sameContent } from './same-content.ts';
export { dueAt } from './track-finding.ts';
