import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '#libs/database';
import {
  type Act,
  type AssetState,
  type Change,
  cvesOf,
  dueAt,
  type Effects,
  type Envelope,
  eventTime,
  type FindingSeen,
  type Organization,
  severityOf,
  techniquesOf,
  type UploadState,
} from '#libs/domain';
import { arrayLiteral, bareLiteral } from './array-literal.ts';
import type { QuarantinedRecord } from './decode-batch.ts';
import { type PackedTexts, packTexts } from './pack-texts.ts';
import type { ProjectionPosition } from './projection-reader.ts';

/** A change with the event that brought it about. */
export interface CausedChange {
  change: Change;
  /** The finding or asset after the change, as it is stored. */
  json: string;
  envelope: Envelope;
  offset: number;
}

/** An act with the event that it came with. */
export interface CausedAct {
  act: Act;
  envelope: Envelope;
  offset: number;
}

/** All that folding a batch brought about in one partition. */
export interface FoldedBatch {
  partition: number;
  /** Where the batch began: the stored position must be exactly there. */
  firstOffset: number;
  position: ProjectionPosition;
  changes: CausedChange[];
  touched: Pick<Effects, 'touchedAssets' | 'touchedFindings'>;
  uploads: UploadState[];
  acts: CausedAct[];
  /** As the batch left it, under its entity key; null where it changed nothing. */
  organization: { key: string; state: Organization } | null;
  quarantined: QuarantinedRecord[];
}

/** The stored position is not where the batch began: another writer was here, or this one is stale. */
export class StalePositionError extends Error {
  override name = 'StalePositionError';
}

/**
 * Rows, history, upload outcomes and position in one transaction, the position first, so that two writers never both
 * write (design "The projector").
 * @throws StalePositionError with nothing written
 */
export async function writeBatch(db: Kysely<Schema>, batch: FoldedBatch): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await movePosition(trx, batch);
    await writeAssets(trx, batch);
    await upsertAssetsSeen(trx, batch.touched);
    await writeFindings(trx, batch);
    await upsertFindingsSeen(trx, batch.touched.touchedFindings);
    await upsertUploads(trx, batch.partition, batch.uploads);
    await insertActs(trx, batch);
    await upsertOrganization(trx, batch);
    await quarantine(trx, batch);
  });
}

async function movePosition(
  trx: Transaction<Schema>,
  { partition, firstOffset, position }: FoldedBatch,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('projection_positions')
    .set({
      next_offset: position.nextOffset,
      clock: instant(position.clock),
      asset_counter: position.assetCounter,
      finding_sequence: position.findingSequence,
      asset_sequence: position.assetSequence,
    })
    .where('partition', '=', partition)
    .where('next_offset', '=', firstOffset)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n)
    throw new StalePositionError(`partition ${partition} is not at offset ${firstOffset}`);
}

const instant = (ms: number) => new Date(ms).toISOString();
/**
 * A column of epoch milliseconds (bigint) as a time: numbers are cheaper to make and to read than texts. Whole seconds
 * apart, since PostgreSQL computes in floating point, which is not exact for the year 9999.
 */
const timeOf = (column: string) =>
  sql`(to_timestamp(${sql.ref(column)} / 1000) + ${sql.ref(column)} % 1000 * interval '1 millisecond')`;
/** A text from those that were packed. */
const textOf = ({ bytes }: PackedTexts, start: string, length: string) =>
  sql`convert_from(substring(${bytes}::bytea from ${sql.ref(start)} for ${sql.ref(length)}), 'UTF8')`;

/** Which changes are the last of their row: that one is the row's state, all of them are history. */
function lastOfEach<T>(changes: T[], rowOf: (change: T) => unknown): boolean[] {
  const last = new Map(changes.map((change, i) => [rowOf(change), i]));
  return changes.map((change, i) => last.get(rowOf(change)) === i);
}

/** Rows and history in one statement, so that the JSON of each change is sent and checked once. */
async function writeAssets(
  trx: Transaction<Schema>,
  { partition, position, ...batch }: FoldedBatch,
): Promise<void> {
  const changes = batch.changes.filter(({ change }) => change.kind === 'asset');
  if (changes.length === 0) return;
  const assets = changes.map(({ change }) => (change as Change & { kind: 'asset' }).asset);
  const typings = assets.map(({ typing, defaults }) => typing ?? defaults.typing);
  const firstSequence = position.assetSequence - changes.length + 1;
  const causes = packTexts(changes.map(({ envelope }) => JSON.stringify(causeOf(envelope))));
  const states = packTexts(changes.map(({ json }) => json));
  await sql`
    /* write_assets */
    with changed as (
      select *, ${timeOf('at_ms')} as at, ${timeOf('deleted_ms')} as deleted_at,
             ${textOf(causes, 'cause_start', 'cause_length')}::json as cause,
             ${textOf(states, 'state_start', 'state_length')}::json as state
      from unnest(
        ${bareLiteral(changes.map((_, i) => firstSequence + i))}::bigint[],
        ${bareLiteral(lastOfEach(assets, ({ number }) => number))}::boolean[],
        ${bareLiteral(assets.map(({ number }) => number))}::bigint[],
        ${bareLiteral(assets.map(({ id }) => id))}::uuid[],
        ${changes.map(({ envelope }) => envelope.entityKey)}::text[],
        ${assets.map(({ name }) => name)}::text[],
        ${typings.map(({ type }) => type)}::text[],
        ${typings.map(({ attackSurface }) => attackSurface)}::text[],
        ${assets.map(({ department, defaults }) => department ?? defaults.department)}::text[],
        ${assets.map(({ location, defaults }) => location ?? defaults.location)}::text[],
        ${assets.map(({ criticality }) => criticality)}::text[],
        ${assets.map(({ sources }) => arrayLiteral(sources))}::text[],
        ${assets.map(({ customFields }) => JSON.stringify(customFields))}::jsonb[],
        ${bareLiteral(assets.map(({ deletedAt }) => deletedAt))}::bigint[],
        ${bareLiteral(changes.map(({ change }) => change.at))}::bigint[],
        ${bareLiteral(changes.map(({ change }) => change.change))}::text[],
        ${bareLiteral(changes.map(({ offset }) => offset))}::bigint[],
        ${bareLiteral(causes.starts)}::int[], ${bareLiteral(causes.lengths)}::int[],
        ${bareLiteral(states.starts)}::int[], ${bareLiteral(states.lengths)}::int[]
      ) as t (sequence, is_last, asset_no, id, entity_key, name, type, attack_surface, department, location,
              criticality, sources, custom_fields, deleted_ms, at_ms, change, log_offset,
              cause_start, cause_length, state_start, state_length)
    ), history as (
      insert into asset_history (partition, sequence, asset_no, at, change, cause, log_offset, state)
      select ${partition}, sequence, asset_no, at, change, cause, log_offset, state from changed
    )
    insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location,
                        criticality, sources, custom_fields, deleted_at, state)
    select asset_no, id, ${partition}, entity_key, name, type, attack_surface, department, location, criticality,
           sources::text[], custom_fields, deleted_at, state
    from changed where is_last
    on conflict (asset_no) do update set
      name = excluded.name, type = excluded.type, attack_surface = excluded.attack_surface,
      department = excluded.department, location = excluded.location, criticality = excluded.criticality,
      sources = excluded.sources, custom_fields = excluded.custom_fields, deleted_at = excluded.deleted_at,
      state = excluded.state`.execute(trx);
}

/** Of every asset of which a finding has moved, too: what falls due, and since when it is idle, follow from them. */
async function upsertAssetsSeen(
  trx: Transaction<Schema>,
  { touchedAssets, touchedFindings }: FoldedBatch['touched'],
): Promise<void> {
  const assets = [...new Set([...touchedAssets, ...touchedFindings.values()])];
  if (assets.length === 0) return;
  await sql`
    /* upsert_assets_seen */
    insert into asset_seen (asset_no, last_seen, due_at, idle_since)
    select asset_no, ${timeOf('last_seen_ms')}, ${timeOf('due_ms')}, ${timeOf('idle_ms')} from unnest(
      ${bareLiteral(assets.map(({ asset }) => asset.number))}::bigint[],
      ${bareLiteral(assets.map(({ lastSeen }) => lastSeen))}::bigint[],
      ${bareLiteral(assets.map(firstDue))}::bigint[],
      ${bareLiteral(assets.map(idleSince))}::bigint[]) as t (asset_no, last_seen_ms, due_ms, idle_ms)
    on conflict (asset_no) do update set
      last_seen = excluded.last_seen, due_at = excluded.due_at, idle_since = excluded.idle_since`.execute(
    trx,
  );
}

/** When the first of an asset's findings falls due by time alone, in epoch ms; null where none does. */
export function firstDue({ findings }: AssetState): number | null {
  let first = Number.POSITIVE_INFINITY;
  for (const tracked of findings.values()) first = Math.min(first, dueAt(tracked));
  return first === Number.POSITIVE_INFINITY ? null : first;
}

/** The last signal of a live asset without active findings, in epoch ms; null for any other. */
export function idleSince({ asset, lastSeen, findings }: AssetState): number | null {
  if (asset.deletedAt !== null) return null;
  for (const { finding } of findings.values()) if (finding.state !== 'Retired') return null;
  return lastSeen;
}

async function writeFindings(
  trx: Transaction<Schema>,
  { partition, position, ...batch }: FoldedBatch,
): Promise<void> {
  const changes = batch.changes.filter(({ change }) => change.kind === 'finding');
  if (changes.length === 0) return;
  const folded = changes.map(({ change }) => change as Change & { kind: 'finding' });
  const findings = folded.map(({ finding }) => finding);
  const firstSequence = position.findingSequence - changes.length + 1;
  const causes = packTexts(changes.map(({ envelope }) => JSON.stringify(causeOf(envelope))));
  const bodies = packTexts(changes.map(({ json }) => json));
  await sql`
    /* write_findings */
    with changed as (
      select *, ${timeOf('at_ms')} as at, ${textOf(causes, 'cause_start', 'cause_length')}::json as cause,
             ${textOf(bodies, 'body_start', 'body_length')}::json as body,
             ${timeOf('expired_ms')} as expired_at
      from unnest(
        ${bareLiteral(changes.map((_, i) => firstSequence + i))}::bigint[],
        ${bareLiteral(lastOfEach(findings, ({ id }) => id))}::boolean[],
        ${bareLiteral(folded.map(({ assetNumber }) => assetNumber))}::bigint[],
        ${bareLiteral(findings.map(({ number }) => number))}::int[],
        ${bareLiteral(findings.map(({ id }) => id))}::uuid[],
        ${bareLiteral(findings.map(({ type }) => type))}::text[],
        ${findings.map(({ name }) => name)}::text[],
        ${bareLiteral(findings.map((finding) => Math.fround(severityOf(finding).value)))}::real[],
        ${findings.map((finding) => arrayLiteral(cvesOf(finding)))}::text[],
        ${findings.map((finding) => arrayLiteral(techniquesOf(finding)))}::text[],
        ${findings.map(({ source }) => source.name)}::text[],
        ${bareLiteral(findings.map(({ version }) => version))}::int[],
        ${bareLiteral(folded.map(({ at }) => at))}::bigint[],
        ${bareLiteral(folded.map(({ expiredAt }) => expiredAt))}::bigint[],
        ${bareLiteral(folded.map(({ change }) => change))}::text[],
        ${bareLiteral(folded.map(({ from }) => from))}::text[],
        ${bareLiteral(folded.map(({ to }) => to))}::text[],
        ${bareLiteral(folded.map(({ reason }) => reason))}::text[],
        ${bareLiteral(changes.map(({ offset }) => offset))}::bigint[],
        ${bareLiteral(causes.starts)}::int[], ${bareLiteral(causes.lengths)}::int[],
        ${bareLiteral(bodies.starts)}::int[], ${bareLiteral(bodies.lengths)}::int[]
      ) as t (sequence, is_last, asset_no, finding_no, id, type, name, severity_value, cves, techniques, source,
              version, at_ms, expired_ms, change, from_state, to_state, reason, log_offset,
              cause_start, cause_length, body_start, body_length)
    ), history as (
      insert into finding_history (partition, sequence, asset_no, finding_no, at, change, from_state, to_state,
                                   reason, cause, log_offset, body, expired_at)
      select ${partition}, sequence, asset_no, finding_no, at, change, from_state, to_state, reason, cause,
             log_offset, body, expired_at
      from changed
    )
    insert into findings (asset_no, finding_no, id, partition, type, name, state, severity_value, cves, techniques,
                          source, version, body)
    select asset_no, finding_no, id, ${partition}, type, name, to_state, severity_value, cves::text[],
           techniques::text[], source, version, body
    from changed where is_last
    on conflict (asset_no, finding_no) do update set
      state = excluded.state, name = excluded.name, severity_value = excluded.severity_value, cves = excluded.cves,
      techniques = excluded.techniques, source = excluded.source, version = excluded.version, body = excluded.body
    `.execute(trx);
}

async function upsertFindingsSeen(trx: Transaction<Schema>, touched: Map<string, AssetState>): Promise<void> {
  if (touched.size === 0) return;
  const rows = [...touched].map(([id, { asset, findings }]) => ({ asset, tracked: findings.get(id)! }));
  const seen: FindingSeen[] = rows.map(({ tracked }) => tracked.seen);
  await sql`
    /* upsert_findings_seen */
    insert into finding_seen (asset_no, finding_no, signal_id, last_seen, expires_at, retain_until, stamp_at,
                              stamp_upload, instance_stamps, seen_at)
    select asset_no, finding_no, signal_id, ${timeOf('last_seen_ms')}, ${timeOf('expires_ms')},
           ${timeOf('retain_ms')}, ${timeOf('stamp_ms')}, stamp_upload, instance_stamps, ${timeOf('seen_ms')}
    from unnest(
      ${bareLiteral(rows.map(({ asset }) => asset.number))}::bigint[],
      ${bareLiteral(rows.map(({ tracked }) => tracked.finding.number))}::int[],
      ${seen.map(({ signalId }) => signalId)}::text[],
      ${bareLiteral(seen.map(({ lastSeen }) => lastSeen))}::bigint[],
      ${bareLiteral(seen.map(({ expiresAt }) => expiresAt))}::bigint[],
      ${bareLiteral(seen.map(({ retainUntil }) => retainUntil))}::bigint[],
      ${bareLiteral(seen.map(({ stamp }) => stamp.at))}::bigint[],
      ${bareLiteral(seen.map(({ stamp }) => stamp.uploadId))}::uuid[],
      ${seen.map(({ instanceStamps }) => instanceStamps && JSON.stringify(instanceStamps))}::json[],
      ${bareLiteral(seen.map(({ seenAt }) => seenAt))}::bigint[]
    ) as t (asset_no, finding_no, signal_id, last_seen_ms, expires_ms, retain_ms, stamp_ms, stamp_upload,
            instance_stamps, seen_ms)
    on conflict (asset_no, finding_no) do update set
      signal_id = excluded.signal_id, last_seen = excluded.last_seen, expires_at = excluded.expires_at,
      retain_until = excluded.retain_until, stamp_at = excluded.stamp_at, stamp_upload = excluded.stamp_upload,
      instance_stamps = excluded.instance_stamps, seen_at = excluded.seen_at`.execute(trx);
}

/** What a history item says of its cause (api.md: finding history). */
export const causeOf = ({ id, cause }: Envelope) => ({
  eventId: id,
  kind: cause.kind,
  uploadId: cause.uploadId,
  entry: cause.entry,
  syncId: cause.syncId,
  user: cause.user,
  requestId: cause.requestId,
});

async function upsertUploads(
  trx: Transaction<Schema>,
  partition: number,
  uploads: UploadState[],
): Promise<void> {
  if (uploads.length === 0) return;
  await sql`
    /* upsert_uploads */
    insert into upload_progress (upload_id, partition, kind, by_user, received_at, seen, event_count, signals, header,
                                 counts, merged, unrecognised_tags)
    select upload_id, ${partition}, kind, by_user, ${timeOf('received_ms')}, seen, event_count, signals, header, counts, merged,
           unrecognised_tags::text[]
    from unnest(
      ${bareLiteral(uploads.map(({ uploadId }) => uploadId))}::uuid[],
      ${uploads.map(({ kind }) => kind)}::text[],
      ${uploads.map(({ by }) => by)}::text[],
      ${bareLiteral(uploads.map(({ stamp }) => stamp.at))}::bigint[],
      ${bareLiteral(uploads.map(({ seen }) => seen))}::int[],
      ${bareLiteral(uploads.map(({ count }) => count))}::int[],
      ${bareLiteral(uploads.map(({ signals }) => signals))}::int[],
      ${uploads.map(({ header }) => header && JSON.stringify(header))}::json[],
      ${uploads.map(({ counts }) => JSON.stringify(counts))}::json[],
      ${uploads.map(({ merged }) => JSON.stringify(merged))}::json[],
      ${uploads.map(({ unrecognisedTags }) => arrayLiteral(unrecognisedTags))}::text[]
    ) as t (upload_id, kind, by_user, received_ms, seen, event_count, signals, header, counts, merged,
            unrecognised_tags)
    on conflict (upload_id, partition) do update set
      received_at = excluded.received_at, seen = excluded.seen, event_count = excluded.event_count,
      signals = excluded.signals, header = excluded.header, counts = excluded.counts, merged = excluded.merged,
      unrecognised_tags = excluded.unrecognised_tags`.execute(trx);
}

async function insertActs(trx: Transaction<Schema>, { partition, acts }: FoldedBatch): Promise<void> {
  if (acts.length === 0) return;
  await trx
    .insertInto('acts')
    .values(
      acts.map(({ act, envelope, offset }) => ({
        partition,
        log_offset: offset,
        at: instant(eventTime(envelope)),
        by_user: envelope.cause.user,
        action: act.action,
        target: act.target,
        detail: JSON.stringify(act.detail),
        refused: act.refused,
        request_id: envelope.cause.requestId,
      })),
    )
    .execute();
}

async function upsertOrganization(
  trx: Transaction<Schema>,
  { partition, organization }: FoldedBatch,
): Promise<void> {
  if (!organization) return;
  const { key, state } = organization;
  const changed = { version: state.settings.version, state: JSON.stringify(state) };
  await trx
    .insertInto('organization')
    .values({ entity_key: key, partition, ...changed })
    .onConflict((conflict) => conflict.column('entity_key').doUpdateSet(changed))
    .execute();
}

async function quarantine(trx: Transaction<Schema>, { partition, quarantined }: FoldedBatch): Promise<void> {
  if (quarantined.length === 0) return;
  await trx
    .insertInto('quarantine')
    .values(
      quarantined.map(({ record, reason, at }) => ({
        partition,
        log_offset: record.offset,
        key: record.key,
        value: record.value,
        reason,
        at: instant(at),
      })),
    )
    .execute();
}
