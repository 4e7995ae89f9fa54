import type {
  AssetDescribed,
  AssetRetyped,
  EdrManagementEnded,
  Envelope,
  SignalReceived,
  StatementEnded,
} from '../events.ts';
import { isFqdn } from '../signal/entity-key.ts';
import { assetId, furtherAssetId } from '../signal/event-ids.ts';
import type { Asset, AssetState, EntityState, Finding, PartitionState, UploadState } from '../state.ts';
import {
  type Description,
  newAsset,
  withDefaults,
  withMetadata,
  withNameAndSources,
} from './describe-asset.ts';
import { withoutEdrSource } from './edr-management.ts';
import type { AssetChange } from './effects.ts';
import { createdBy, matchAsset } from './match-asset.ts';
import { sameContent } from './same-content.ts';
import { merged, withoutStatement, withTyping } from './statements.ts';
import { changeFinding, type Moment, retireFinding } from './track-finding.ts';
import { withTypingOfOs } from './typed-systems.ts';
import { noteMerged, noteUnrecognisedTags } from './upload-progress.ts';

/** Partitions are numbered below this: an asset number is composed of counter and partition. */
const PARTITIONS_MAX = 1024;

/** How many assets its partition had when it was created, including it. */
export const assetCountOf = (assetNumber: number): number => Math.floor(assetNumber / PARTITIONS_MAX);

/** The first rules under which an asset keeps which EDR inventories contain it. */
const EDR_MANAGEMENT = 4;

/** The first rules under which a deletion ends the verdicts on controls that are already retired. */
const VERDICTS_END = 7;

/** The first rules under which an upload also lists an FQDN that joins a deleted asset of another one (ADR-0159). */
const RETURNS_MERGE = 10;

/** The first rules under which a new list of trusted sources is a change of an asset, also if it shows the same. */
const LISTS_KEPT = 8;

/**
 * The asset of an event, created or described by it as the rules of the upload allow (R-ZIP-3);
 * null if it is unknown and assets are not imported.
 */
export function foldAsset(
  moment: Moment,
  partition: PartitionState,
  entity: EntityState,
  envelope: Envelope,
  payload: SignalReceived | AssetDescribed,
  upload: UploadState,
): AssetState | null {
  const { entity: described, assetRules, source } = payload;
  const description: Description = {
    entity: described,
    sourceName: source.name,
    edrSource: isEdrManaged(envelope, payload) ? source.name : null,
    settingsVersion: envelope.settingsVersion,
    rules: envelope.rules,
    deviceId: payload.type === 'AssetDescribed' ? payload.deviceId : null,
    isOfSync: envelope.cause.syncId !== null,
    trustedSources: payload.trustedSources,
    isTypeGiven: payload.isTypeGiven,
    at: moment.clock,
  };
  const matched = matchAsset(entity, described.name, assetRules.matching, envelope.rules);
  // Under rules 6 and earlier a second asset would get the same id, which the tables refuse (ADR-0149).
  const known = matched ?? (assetRules.importAssets ? createdBy(entity, described.name) : null);
  const isLive = known !== null && known.asset.deletedAt === null;
  if (!isLive && !assetRules.importAssets) return null;
  noteUnrecognisedTags(upload, described.unrecognisedTags);
  if (!known) return onboard(moment, partition, entity, description, upload);
  if ((isLive || envelope.rules >= RETURNS_MERGE) && isOtherFqdn(known.asset, described.name))
    noteMerged(upload, described.name, known.asset.id);
  if (!isLive) returnAsset(moment, known, description, upload);
  else describe(moment, known, description, assetRules.updateMetadata, upload);
  known.lastSeen = moment.clock;
  moment.effects.touchedAssets.add(known);
  return known;
}

const isOtherFqdn = ({ fqdn }: Asset, name: string): boolean =>
  isFqdn(name) && fqdn !== null && fqdn.toLowerCase() !== name.toLowerCase();

const isEdrManaged = ({ rules }: Envelope, payload: SignalReceived | AssetDescribed): boolean =>
  rules >= EDR_MANAGEMENT && payload.type === 'AssetDescribed' && payload.isEdrManaged;

/** The mapping changed: an older settings version changes nothing (R-ASSET-16). */
export function retypeAsset(
  moment: Moment,
  state: AssetState,
  retyped: AssetRetyped,
  settingsVersion: number,
): void {
  const { asset } = state;
  if (settingsVersion < asset.settingsVersion) return;
  const { typing, os = null } = retyped;
  if (os !== null) {
    changeAsset(moment, state, { ...withTypingOfOs(asset, retyped, moment.rules), settingsVersion });
    return;
  }
  if (asset.os === null) {
    changeAsset(moment, state, { ...asset, defaults: { ...asset.defaults, typing }, settingsVersion });
    return;
  }
  const statements = asset.statements && {
    statements: withTyping(asset.statements, typing, asset, moment.rules),
  };
  changeAsset(moment, state, { ...asset, typing, ...statements, settingsVersion });
}

/** An EDR inventory no longer contains the asset; changes nothing if it did not before. */
export function endEdrManagement(moment: Moment, state: AssetState, { source }: EdrManagementEnded): void {
  changeAsset(moment, state, withoutEdrSource(state.asset, source));
}

/** A source no longer contains a device; changes nothing if the asset has no statement about it. */
export function endStatement(moment: Moment, state: AssetState, ended: StatementEnded): void {
  const { asset } = state;
  const before = asset.statements ?? [];
  const statements = withoutStatement(before, ended);
  if (statements === before) return;
  const shown = merged(asset, statements, moment.rules);
  changeAsset(moment, state, { ...asset, ...shown, statements: [...statements] });
}

/**
 * Retires the findings of the asset and removes it from the lists; id, history and acceptances stay (R-DEL-3). A
 * returning asset is managed by an EDR platform only if its inventory states it again. Its statements end, but not what it
 * shows. Verdicts on its controls end with it, also on expired controls (R-DEL-2).
 */
export function deleteAsset(moment: Moment, state: AssetState): void {
  for (const tracked of [...state.findings.values()]) {
    const { finding, seen } = tracked;
    if (finding.state !== 'Retired') retireFinding(moment, state, tracked, 'assetDeleted');
    else if (moment.rules >= VERDICTS_END && hasVerdict(finding)) {
      const ended: Finding = { ...finding, retiredReason: 'assetDeleted' };
      changeFinding(moment, state, { finding: ended, seen }, 'updated', finding.state, 'assetDeleted');
    }
  }
  const asset = withoutEdrSource(state.asset, null);
  const ended = asset.statements && { statements: [] };
  changeAsset(moment, state, { ...asset, ...ended, deletedAt: moment.clock }, 'deleted');
}

const hasVerdict = ({ type, retiredReason }: Finding): boolean =>
  (type === 'ca' || type === 'uba') && retiredReason !== 'assetDeleted';

/**
 * Tells readers and subscribers, once, that the personal texts of the asset and its findings are erased. States and
 * scores stay, and so do the sealed texts: without their key they cannot be read (ADR-0078).
 */
export function eraseAsset(moment: Moment, state: AssetState): void {
  if (state.asset.erasedAt) return;
  for (const tracked of [...state.findings.values()]) {
    const { finding, seen } = tracked;
    if (finding.state !== 'Retired') {
      changeFinding(moment, state, { finding, seen }, 'erased', finding.state, 'user');
    }
  }
  changeAsset(moment, state, { ...state.asset, erasedAt: moment.clock }, 'erased');
}

function onboard(
  moment: Moment,
  partition: PartitionState,
  entity: EntityState,
  description: Description,
  upload: UploadState,
): AssetState {
  partition.assetCounter += 1;
  const number = partition.assetCounter * PARTITIONS_MAX + partition.partition;
  const { entity: described, rules } = description;
  const id =
    entity.assets.length === 0 ? assetId(entity.key) : furtherAssetId(entity.key, described.name, rules);
  const state: AssetState = {
    asset: newAsset(number, id, moment.clock, description),
    lastSeen: moment.clock,
    findings: new Map(),
    findingCounter: 0,
    nothingDueBefore: Number.POSITIVE_INFINITY,
  };
  entity.assets.push(state);
  note(moment, state, null, 'created');
  upload.counts.assetsCreated += 1;
  return state;
}

function returnAsset(moment: Moment, state: AssetState, description: Description, upload: UploadState): void {
  const named = withNameAndSources(state.asset, description);
  changeAsset(moment, state, { ...withMetadata(named, description), deletedAt: null }, 'returned');
  upload.counts.assetsCreated += 1;
}

function describe(
  moment: Moment,
  state: AssetState,
  description: Description,
  updateMetadata: boolean,
  upload: UploadState,
): void {
  const { asset, unchanging } = state;
  if (unchanging?.asset === asset && unchanging.updateMetadata === updateMetadata) {
    if (saysTheSame(unchanging.said, description)) return;
  }
  const named = withNameAndSources(asset, description);
  const described = (updateMetadata ? withMetadata : withDefaults)(named, description);
  const hasChanged = changeAsset(moment, state, described);
  if (!hasChanged) state.unchanging = { asset, said: description, updateMetadata };
  else if (updateMetadata) upload.counts.assetsUpdated += 1;
}

/** All that a description says; the compiler rejects a list without one of its fields. */
const FIELDS_SAID = Object.keys({
  entity: true,
  sourceName: true,
  edrSource: true,
  settingsVersion: true,
  rules: true,
  deviceId: true,
  isOfSync: true,
  trustedSources: true,
  isTypeGiven: true,
} satisfies Record<Exclude<keyof Description, 'at'>, true>) as (keyof Description)[];

/** Whether two descriptions say the same, at whatever time. */
function saysTheSame(before: object, now: Description): boolean {
  const earlier = before as Description;
  return FIELDS_SAID.every((field) => sameContent(earlier[field], now[field]));
}

/** Whether the asset has changed. Different settings alone are not a change, apart from the list of trusted sources. */
function changeAsset(
  moment: Moment,
  state: AssetState,
  changed: Asset,
  change: AssetChange['change'] = 'updated',
): boolean {
  if (sameContent(withoutSettings(moment, state.asset), withoutSettings(moment, changed))) return false;
  putAsset(moment, state, changed, change);
  return true;
}

const withoutSettings = ({ rules }: Moment, asset: Asset): Asset => ({
  ...asset,
  settingsVersion: 0,
  ...(rules < LISTS_KEPT && { trustedSources: [] }),
});

/** A change of an asset: one version, one history item. */
export function putAsset(
  moment: Moment,
  state: AssetState,
  changed: Asset,
  change: AssetChange['change'],
): void {
  const before = state.asset;
  state.asset = { ...changed, version: changed.version + 1, updatedAt: moment.clock };
  note(moment, state, before, change);
}

function note(
  { effects, clock }: Moment,
  state: AssetState,
  before: Asset | null,
  change: AssetChange['change'],
): void {
  const { number } = state.asset;
  if (!effects.assetsBefore.has(number)) effects.assetsBefore.set(number, before);
  effects.touchedAssets.add(state);
  effects.changes.push({ kind: 'asset', change, asset: state.asset, at: clock });
}
