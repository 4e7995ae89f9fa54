import {
  type AssetChange,
  type AssetState,
  cvesOf,
  eventTime,
  type FindingChange,
  type Organization,
  severityOf,
  type TrackedFinding,
  techniquesOf,
  type UploadState,
} from '#libs/domain';
import {
  type CausedAct,
  type CausedChange,
  causeOf,
  firstDue,
  idleSince,
  type QuarantinedRecord,
} from '#libs/projection';
import type { CopyValue } from './copy-text.ts';

/**
 * The rows of the folded tables, as libs/projection writes them batch by batch, for COPY. That both are the same is held
 * by the tests that compare replayed with live tables.
 */
export const BULK_COLUMNS = {
  asset_history: ['partition', 'sequence', 'asset_no', 'at', 'change', 'cause', 'log_offset', 'state'],
  finding_history: [
    'partition',
    'sequence',
    'asset_no',
    'finding_no',
    'at',
    'change',
    'from_state',
    'to_state',
    'reason',
    'cause',
    'log_offset',
    'body',
    'expired_at',
  ],
  assets: [
    'asset_no',
    'id',
    'partition',
    'entity_key',
    'name',
    'type',
    'attack_surface',
    'department',
    'location',
    'criticality',
    'sources',
    'custom_fields',
    'deleted_at',
    'state',
  ],
  asset_seen: ['asset_no', 'last_seen', 'due_at', 'idle_since'],
  findings: [
    'asset_no',
    'finding_no',
    'id',
    'partition',
    'type',
    'name',
    'state',
    'severity_value',
    'cves',
    'techniques',
    'source',
    'version',
    'body',
  ],
  finding_seen: [
    'asset_no',
    'finding_no',
    'signal_id',
    'last_seen',
    'expires_at',
    'retain_until',
    'stamp_at',
    'stamp_upload',
    'instance_stamps',
    'seen_at',
  ],
  upload_progress: [
    'upload_id',
    'partition',
    'kind',
    'by_user',
    'received_at',
    'seen',
    'event_count',
    'signals',
    'header',
    'counts',
    'merged',
    'unrecognised_tags',
  ],
  organization: ['entity_key', 'partition', 'version', 'state'],
  acts: ['partition', 'log_offset', 'at', 'by_user', 'action', 'target', 'detail', 'refused', 'request_id'],
  quarantine: ['partition', 'log_offset', 'key', 'value', 'reason', 'at'],
} as const;

export type BulkTable = keyof typeof BULK_COLUMNS;

const time = (ms: number) => new Date(ms);
const timeOrNull = (ms: number | null) => (ms === null ? null : new Date(ms));
const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

export const assetHistoryRow = (
  partition: number,
  sequence: number,
  { change, json, envelope, offset }: CausedChange & { change: AssetChange },
): CopyValue[] => [
  partition,
  sequence,
  change.asset.number,
  time(change.at),
  change.change,
  JSON.stringify(causeOf(envelope)),
  offset,
  json,
];

export const findingHistoryRow = (
  partition: number,
  sequence: number,
  { change, json, envelope, offset }: CausedChange & { change: FindingChange },
): CopyValue[] => [
  partition,
  sequence,
  change.assetNumber,
  change.finding.number,
  time(change.at),
  change.change,
  change.from,
  change.to,
  change.reason,
  JSON.stringify(causeOf(envelope)),
  offset,
  json,
  timeOrNull(change.expiredAt),
];

export function assetRow(partition: number, entityKey: string, { asset }: AssetState): CopyValue[] {
  const typing = asset.typing ?? asset.defaults.typing;
  return [
    asset.number,
    asset.id,
    partition,
    entityKey,
    asset.name,
    typing.type,
    typing.attackSurface,
    asset.department ?? asset.defaults.department,
    asset.location ?? asset.defaults.location,
    asset.criticality,
    asset.sources,
    JSON.stringify(asset.customFields),
    timeOrNull(asset.deletedAt),
    JSON.stringify(asset),
  ];
}

export const assetSeenRow = (state: AssetState): CopyValue[] => [
  state.asset.number,
  time(state.lastSeen),
  timeOrNull(firstDue(state)),
  timeOrNull(idleSince(state)),
];

export const findingRow = (
  partition: number,
  assetNumber: number,
  { finding }: TrackedFinding,
): CopyValue[] => [
  assetNumber,
  finding.number,
  finding.id,
  partition,
  finding.type,
  finding.name,
  finding.state,
  Math.fround(severityOf(finding).value),
  cvesOf(finding),
  techniquesOf(finding),
  finding.source.name,
  finding.version,
  JSON.stringify(finding),
];

export const findingSeenRow = (assetNumber: number, { finding, seen }: TrackedFinding): CopyValue[] => [
  assetNumber,
  finding.number,
  seen.signalId,
  time(seen.lastSeen),
  time(seen.expiresAt),
  time(seen.retainUntil),
  time(seen.stamp.at),
  seen.stamp.uploadId,
  jsonOrNull(seen.instanceStamps),
  time(seen.seenAt),
];

export const uploadRow = (partition: number, upload: UploadState): CopyValue[] => [
  upload.uploadId,
  partition,
  upload.kind,
  upload.by,
  time(upload.stamp.at),
  upload.seen,
  upload.count,
  upload.signals,
  jsonOrNull(upload.header),
  JSON.stringify(upload.counts),
  JSON.stringify(upload.merged),
  upload.unrecognisedTags,
];

export const organizationRow = (partition: number, key: string, state: Organization): CopyValue[] => [
  key,
  partition,
  state.settings.version,
  JSON.stringify(state),
];

export const actRow = (partition: number, { act, envelope, offset }: CausedAct): CopyValue[] => [
  partition,
  offset,
  time(eventTime(envelope)),
  envelope.cause.user,
  act.action,
  act.target,
  JSON.stringify(act.detail),
  act.refused,
  envelope.cause.requestId,
];

export const quarantineRow = (partition: number, { record, reason, at }: QuarantinedRecord): CopyValue[] => [
  partition,
  record.offset,
  record.key,
  record.value,
  reason,
  time(at),
];
