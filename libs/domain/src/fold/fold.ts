import {
  type AssetDeleted,
  type AssetDescribed,
  type AssetRetyped,
  CURRENT_RULES,
  type EdrManagementEnded,
  type EntitySwept,
  type Envelope,
  type HistoryTrimmed,
  type IntakeEvent,
  type OrganizationPayload,
  type SignalReceived,
  type StatementEnded,
  type SubjectErased,
} from '../events.ts';
import { changeOrganization } from '../organization/change-organization.ts';
import { initialOrganization } from '../organization/organization.ts';
import type { AssetState, EntityState, PartitionState, UploadState } from '../state.ts';
import { actOnClock, actOnEntity, actOnOrganization } from './act-of.ts';
import { applyDue } from './apply-due.ts';
import { closeAssessment } from './close-assessment.ts';
import { type Effects, noEffects, type Refusal } from './effects.ts';
import {
  deleteAsset,
  endEdrManagement,
  endStatement,
  eraseAsset,
  foldAsset,
  retypeAsset,
} from './fold-asset.ts';
import { foldOpening } from './fold-opening.ts';
import { isLive } from './match-asset.ts';
import { mendEntity } from './mend-entity.ts';
import { observeFinding, revokeFinding } from './observe-finding.ts';
import { clockAfter, isStampedAhead } from './partition-clock.ts';
import { setAside } from './set-aside.ts';
import { type DigestOf, noDigest } from './signal-digest.ts';
import type { Moment } from './track-finding.ts';
import { triageFinding } from './triage.ts';
import { copyUnread, isRetiredUnread, unreadOf } from './unread-findings.ts';
import { advanceUpload, countIgnored, noteSoleAsset } from './upload-progress.ts';
import { acceptFinding, revertFinding } from './user-acts.ts';

/** The event was written with rules that this version does not know: it must be upgraded (R-FOLD-7). */
export class UnknownRulesError extends Error {
  override name = 'UnknownRulesError';
}

export const initialPartition = (partition: number): PartitionState => ({
  partition,
  clock: 0,
  assetCounter: 0,
  uploads: new Map(),
});

export const initialEntity = (key: string): EntityState => ({ key, assets: [], organization: null });

/**
 * The fold: total, pure and exhaustive over the event union (R-FOLD-2). Both returned states are new; those given stay as
 * they were.
 */
export function fold(
  partition: PartitionState,
  entity: EntityState,
  event: IntakeEvent,
): { partition: PartitionState; entity: EntityState; effects: Effects } {
  const next = { partition: copyPartition(partition), entity: copyEntity(entity), effects: noEffects() };
  evolve(next.partition, next.entity, event, next.effects);
  return next;
}

/**
 * As `fold`, in place: for a caller that owns both states and folds many events. The states are updated; values within
 * findings and assets are replaced, never changed. `entity` is that of the event's key; nothing that the event needs of it
 * is unread (`neededFindings`).
 */
export function evolve(
  partition: PartitionState,
  entity: EntityState,
  event: IntakeEvent,
  effects: Effects,
  digestOf: DigestOf = noDigest,
): void {
  const { envelope, payload } = event;
  if (envelope.rules > CURRENT_RULES) {
    throw new UnknownRulesError(`event ${envelope.id} needs rules ${envelope.rules}: upgrade this version`);
  }
  const clockBefore = partition.clock;
  partition.clock = clockAfter(clockBefore, event);
  const upload = envelope.cause.uploadId === null ? null : advanceUpload(partition, envelope);
  const isRepeat = envelope.cause.uploadId !== null && upload === null;
  if (isRepeat) return;
  if (isStampedAhead(envelope)) {
    setAside(effects, entity, payload, upload);
    return;
  }
  const moment: Moment = { clock: partition.clock, rules: envelope.rules, effects, digestOf };
  // First, so that transitions that the wrong clock had made due are not applied again.
  if (payload.type === 'EntityMended') mendEntity(moment, entity, payload);
  applyDue(moment, entity);
  switch (payload.type) {
    case 'LogOpened':
      foldOpening(effects, entity, payload);
      break;
    case 'EntityMended':
      break;
    case 'ClockCorrected':
      effects.acts.push(actOnClock(partition, payload, clockBefore));
      break;
    case 'HistoryTrimmed':
      foldTrim(effects, partition, payload);
      break;
    case 'SignalReceived':
      foldSignal(moment, partition, entity, envelope, payload, upload!);
      break;
    case 'AssetDescribed':
      foldDescription(moment, partition, entity, envelope, payload, upload!);
      break;
    case 'AssessmentClosed':
      closeAssessment(moment, entity, envelope, payload, upload!);
      break;
    case 'FindingAccepted':
      effects.acts.push(actOnEntity(payload, acceptFinding(moment, entity, envelope, payload)));
      break;
    case 'FindingReverted':
      effects.acts.push(actOnEntity(payload, revertFinding(moment, entity, envelope, payload)));
      break;
    case 'FindingAssigned':
    case 'FindingTagged':
    case 'FindingDueSet':
    case 'FindingTicketsChanged':
    case 'FindingCommented':
      effects.acts.push(actOnEntity(payload, triageFinding(moment, entity, payload)));
      break;
    case 'EntitySwept':
      sweep(moment, entity, payload);
      break;
    case 'AssetRetyped':
      foldRetyping(moment, entity, envelope, payload);
      break;
    case 'EdrManagementEnded':
      foldEdrManagementEnd(moment, entity, payload);
      break;
    case 'StatementEnded':
      foldStatementEnd(moment, entity, payload);
      break;
    case 'AssetDeleted':
      effects.acts.push(actOnEntity(payload, foldDeletion(moment, entity, payload)));
      break;
    case 'SubjectErased':
      foldErasure(moment, entity, payload);
      break;
    case 'SettingsChanged':
    case 'OptionSaved':
    case 'OptionRemoved':
    case 'CustomFieldSaved':
    case 'CustomFieldRemoved':
    case 'OsMappingReplaced':
    case 'OwnerRulesReplaced':
    case 'CredentialChanged':
    case 'WebhookChanged':
    case 'CatalogueImported':
    case 'IntegrationSaved':
    case 'IntegrationRemoved':
    case 'PlanSaved':
    case 'PlanRemoved':
    case 'SyncRequested':
      foldOrganization(effects, entity, payload);
      break;
    default:
      payload satisfies never;
  }
}

function foldSignal(
  moment: Moment,
  partition: PartitionState,
  entity: EntityState,
  envelope: Envelope,
  signal: SignalReceived,
  upload: UploadState,
): void {
  upload.signals += 1;
  const asset = signal.ignored ? null : foldAsset(moment, partition, entity, envelope, signal, upload);
  noteSoleAsset(upload, entity, envelope, signal);
  if (!asset) {
    countIgnored(upload, signal.ignored ?? 'unknownAsset');
    return;
  }
  const foldObservation = signal.revoked ? revokeFinding : observeFinding;
  for (const observation of signal.observations) {
    foldObservation(moment, asset, { envelope, signal, upload }, observation);
  }
}

function foldDescription(
  moment: Moment,
  partition: PartitionState,
  entity: EntityState,
  envelope: Envelope,
  described: AssetDescribed,
  upload: UploadState,
): void {
  upload.signals += 1;
  const countsBefore = upload.counts.assetsCreated;
  const asset = foldAsset(moment, partition, entity, envelope, described, upload);
  noteSoleAsset(upload, entity, envelope, described);
  const isNew = upload.counts.assetsCreated > countsBefore;
  if (!asset) countIgnored(upload, 'unknownAsset');
  else if (!isNew && !described.assetRules.updateMetadata) countIgnored(upload, 'metadataKept');
}

function sweep(moment: Moment, entity: EntityState, { deleteIdleSince }: EntitySwept): void {
  if (deleteIdleSince === null) return;
  for (const asset of entity.assets) {
    if (isLive(asset) && asset.lastSeen < deleteIdleSince && !hasActiveFinding(asset))
      deleteAsset(moment, asset);
  }
}

/** An asset that was deleted since is typed when it returns; under rules 1 it was typed anyway. */
function foldRetyping(
  moment: Moment,
  entity: EntityState,
  { settingsVersion, rules }: Envelope,
  retyped: AssetRetyped,
): void {
  const asset = findAsset(entity, retyped.assetId);
  if (asset && (rules === 1 || isLive(asset))) retypeAsset(moment, asset, retyped, settingsVersion);
}

function foldEdrManagementEnd(moment: Moment, entity: EntityState, ended: EdrManagementEnded): void {
  const asset = findAsset(entity, ended.assetId);
  if (asset) endEdrManagement(moment, asset, ended);
}

function foldStatementEnd(moment: Moment, entity: EntityState, ended: StatementEnded): void {
  const asset = findAsset(entity, ended.assetId);
  if (asset) endStatement(moment, asset, ended);
}

/** What is still to come is not old. */
function foldTrim(effects: Effects, { clock }: PartitionState, trimmed: HistoryTrimmed): void {
  const { findingType, before, throughSequence } = trimmed;
  if (before <= clock) effects.trims.push({ findingType, before, throughSequence });
}

function foldDeletion(
  moment: Moment,
  entity: EntityState,
  { assetId, seenVersion }: AssetDeleted,
): Refusal | null {
  const asset = findAsset(entity, assetId);
  if (!asset || !isLive(asset)) return 'unknown';
  if (seenVersion !== null && seenVersion !== asset.asset.version) return 'stale';
  deleteAsset(moment, asset);
  return null;
}

/** The retention decides by tables that can be behind the log: a subject that has returned since is not erased. */
function foldErasure(moment: Moment, entity: EntityState, erased: SubjectErased): void {
  const { deletedBefore = null } = erased;
  if (deletedBefore !== null && !entity.assets.every((asset) => wasDeletedBefore(asset, deletedBefore)))
    return;
  for (const asset of entity.assets) if (isLive(asset)) eraseAsset(moment, asset);
  moment.effects.acts.push(actOnEntity(erased, null));
}

function foldOrganization(effects: Effects, entity: EntityState, payload: OrganizationPayload): void {
  const outcome = changeOrganization(entity.organization ?? initialOrganization(), payload);
  effects.acts.push(actOnOrganization(payload, outcome));
  if (outcome.refused !== null) return;
  entity.organization = outcome.organization;
  effects.organization = outcome.organization;
}

const findAsset = ({ assets }: EntityState, id: string) => assets.find(({ asset }) => asset.id === id);

const wasDeletedBefore = ({ asset: { deletedAt } }: AssetState, time: number) =>
  deletedAt !== null && deletedAt < time;

const hasActiveFinding = (asset: AssetState) =>
  [...asset.findings.values()].some(({ finding }) => finding.state !== 'Retired') ||
  [...unreadOf(asset)].some((unread) => !isRetiredUnread(unread));

const copyPartition = (partition: PartitionState): PartitionState => ({
  ...partition,
  uploads: new Map([...partition.uploads].map(([id, upload]) => [id, structuredClone(upload)])),
});

const copyEntity = ({ assets, ...entity }: EntityState): EntityState => ({
  ...entity,
  assets: assets.map((state) => ({
    ...state,
    findings: new Map(state.findings),
    ...(state.unread && { unread: copyUnread(state.unread) }),
  })),
});
