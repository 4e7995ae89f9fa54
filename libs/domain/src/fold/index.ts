export { COMMENTED_ACTION, ERASED_ACTION, OPENED_ACTION, PLAN_ACTIONS } from './act-of.ts';
export { firstDueOf } from './apply-due.ts';
export { isEdrManaged } from './edr-management.ts';
export type { Act, AssetChange, Change, Effects, FindingChange, HistoryTrim, Refusal } from './effects.ts';
export { noEffects } from './effects.ts';
export { cvesOf, observationOf, severityOf, techniquesOf } from './finding-state.ts';
export { evolve, fold, initialEntity, initialPartition, UnknownRulesError } from './fold.ts';
export { assetCountOf } from './fold-asset.ts';
export { type NeededFindings, neededFindings } from './needed-findings.ts';
export { clockAfter, eventTime, isStampedAhead, STAMP_AHEAD_MS_MAX } from './partition-clock.ts';
export { type DecidedOn, hasEffect, refusalOf } from './refusal-of.ts';
export { sameContent } from './same-content.ts';
export { type DigestOf, RETIRED_DIGEST } from './signal-digest.ts';
export {
  ALL_STATEMENTS_MAX,
  STATEMENTS_MAX,
  shownAttributes,
  statedDevice,
  statedDevices,
  trustOf,
  withValues,
} from './statements.ts';
export { dueAt } from './track-finding.ts';
export { assigneeKey, assigneeOf, FINDING_TAGS_MAX, FINDING_TICKETS_MAX, triageOf } from './triage-after.ts';
export { typedSystems } from './typed-systems.ts';
export { addUnread, isRetiredUnread, placeRead, unreadOf } from './unread-findings.ts';
export { initialSoleAssets, listedOf } from './upload-progress.ts';
