import {
  type AssetChange,
  type AssetState,
  assigneeKey,
  cvesOf,
  type FindingChange,
  type Organization,
  severityOf,
  statedDevices,
  type TrackedFinding,
  techniquesOf,
  triageOf,
  type UploadState,
} from '#libs/domain';
import type { CausedChange, PartitionPosition, QuarantinedRecord } from '#libs/fold';
import { causeOf, firstDue, idleSince, storedDigest, textIdOf } from '#libs/projection';
import { changesJson, type FoldedColumn, type FoldedTableName, soleAssetsJson } from '#libs/tables';
import type { CopyValue } from './copy-text.ts';

export type BulkRow<T extends FoldedTableName> = Record<FoldedColumn<T>, CopyValue>;

/*
 * The rows of the folded tables, as libs/projection writes them batch by batch, for COPY. Tests that compare replayed
 * with live tables enforce that both are the same.
 */

const time = (ms: number) => new Date(ms);
const timeOrNull = (ms: number | null) => (ms === null ? null : new Date(ms));
const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

export const assetHistoryRow = (
  partition: number,
  { change, sequence, json, envelope, offset }: CausedChange<AssetChange>,
): BulkRow<'asset_history'> => ({
  partition,
  sequence,
  asset_no: change.asset.number,
  at: time(change.at),
  change: change.change,
  cause: JSON.stringify(causeOf(envelope)),
  log_offset: offset,
  state: json,
});

export const findingHistoryRow = (
  partition: number,
  { change, sequence, json, envelope, offset }: CausedChange<FindingChange>,
): BulkRow<'finding_history'> => ({
  partition,
  sequence,
  asset_no: change.assetNumber,
  finding_no: change.finding.number,
  at: time(change.at),
  change: change.change,
  from_state: change.from,
  to_state: change.to,
  reason: change.reason,
  cause: JSON.stringify(causeOf(envelope)),
  log_offset: offset,
  body: json,
  expired_at: timeOrNull(change.expiredAt),
});

export function assetRow(partition: number, entityKey: string, { asset }: AssetState): BulkRow<'assets'> {
  const typing = asset.typing ?? asset.defaults.typing;
  return {
    asset_no: asset.number,
    id: asset.id,
    partition,
    entity_key: entityKey,
    name: asset.name,
    type: typing.type,
    attack_surface: typing.attackSurface,
    department: asset.department ?? asset.defaults.department,
    location: asset.location ?? asset.defaults.location,
    criticality: asset.criticality,
    sources: asset.sources,
    edr_sources: asset.edrSources ?? [],
    stated_devices: statedDevices(asset),
    custom_fields: JSON.stringify(asset.customFields),
    deleted_at: timeOrNull(asset.deletedAt),
    state: JSON.stringify(asset),
  };
}

export const assetSeenRow = (partition: number, state: AssetState): BulkRow<'asset_seen'> => ({
  asset_no: state.asset.number,
  partition,
  last_seen: time(state.lastSeen),
  due_at: timeOrNull(firstDue(state)),
  idle_since: timeOrNull(idleSince(state)),
});

export const findingRow = (
  partition: number,
  assetNumber: number,
  { finding }: TrackedFinding,
): BulkRow<'findings'> => {
  const { assignee, tags, due } = triageOf(finding);
  return {
    asset_no: assetNumber,
    finding_no: finding.number,
    id: finding.id,
    partition,
    type: finding.type,
    name: finding.name,
    state: finding.state,
    severity_value: Math.fround(severityOf(finding).value),
    cves: cvesOf(finding),
    techniques: techniquesOf(finding),
    source: finding.source.name,
    assignee: assignee && assigneeKey(assignee),
    tags: tags.length === 0 ? null : tags,
    due_ms: due?.at ?? null,
    failed_since_ms: finding.failedSince ?? null,
    settled_at_ms: finding.settledAt ?? null,
    version: finding.version,
    body: JSON.stringify(finding),
    text_id: textIdOf(finding),
    updated_ms: finding.updatedAt,
    first_seen_ms: finding.firstSeen,
    derived_version: finding.version,
  };
};

export const findingSeenRow = (
  partition: number,
  assetNumber: number,
  { finding, seen, digest }: TrackedFinding,
): BulkRow<'finding_seen'> => ({
  asset_no: assetNumber,
  finding_no: finding.number,
  partition,
  signal_id: seen.signalId,
  last_seen: time(seen.lastSeen),
  expires_at: time(seen.expiresAt),
  retain_until: time(seen.retainUntil),
  stamp_at: time(seen.stamp.at),
  stamp_upload: seen.stamp.uploadId,
  instance_stamps: jsonOrNull(seen.instanceStamps),
  seen_at: time(seen.seenAt),
  digest: storedDigest({ finding, digest }),
});

export const uploadRow = (partition: number, upload: UploadState): BulkRow<'upload_progress'> => ({
  upload_id: upload.uploadId,
  partition,
  kind: upload.kind,
  by_user: upload.by,
  received_at: time(upload.stamp.at),
  seen: upload.seen,
  event_count: upload.count,
  signals: upload.signals,
  header: jsonOrNull(upload.header),
  counts: JSON.stringify(upload.counts),
  merged: JSON.stringify(upload.merged),
  unrecognised_tags: upload.unrecognisedTags,
  changes: changesJson(upload),
  sole_assets: soleAssetsJson(upload),
});

export const organizationRow = (
  partition: number,
  key: string,
  state: Organization,
): BulkRow<'organization'> => ({
  entity_key: key,
  partition,
  version: state.settings.version,
  state: JSON.stringify(state),
});

export const quarantineRow = (
  partition: number,
  { record, reason, at }: QuarantinedRecord,
): BulkRow<'quarantine'> => ({
  partition,
  log_offset: record.offset,
  key: record.key,
  value: record.value,
  reason,
  at: time(at),
});

export const positionRow = (
  partition: number,
  position: PartitionPosition,
): BulkRow<'projection_positions'> => ({
  partition,
  next_offset: position.nextOffset,
  clock: time(position.clock),
  asset_counter: position.assetCounter,
  finding_sequence: position.findingSequence,
  asset_sequence: position.assetSequence,
  digested_sequence: position.findingSequence,
});
