import { CompiledQuery, type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { arrayLiteral, atOnce, bareLiteral, type Schema, unnested } from '#libs/database';
import {
  assigneeKey,
  type Change,
  cvesOf,
  type FindingSeen,
  isoTime,
  severityOf,
  statedDevices,
  techniquesOf,
  triageOf,
  type UploadState,
} from '#libs/domain';
import type { BatchEffects, PartitionPosition, QuarantinedRecord } from '#libs/fold';
import { changesJson, FINDINGS_TABLE_SQL, soleAssetsJson } from '#libs/tables';
import { actRow } from './act-row.ts';
import { causeOf, firstDue, idleSince, storedDigest, textIdOf } from './derived-columns.ts';
import { type PackedTexts, packTexts } from './pack-texts.ts';
import { columnList, onConflictUpdate, withColumns } from './table-sql.ts';
import { moveTotals } from './totals/move-totals.ts';
import { NONE_MOVED, totalMoves } from './totals/total-moves.ts';
import { trimHistory } from './trim-history.ts';

/** What folding a batch caused in one partition, with its start and end. */
export interface WrittenBatch extends BatchEffects {
  partition: number;
  /** The start of the batch: the stored position must be equal. */
  firstOffset: number;
  /** Of `ensurePosition`. */
  table: number;
  position: PartitionPosition;
  quarantined: QuarantinedRecord[];
}

/**
 * The stored position is not the start of the batch, or the tables were replaced by a replay: another process has
 * written, and what this one has read is stale.
 */
export class StalePositionError extends Error {
  override name = 'StalePositionError';
}

/**
 * Rows, history, upload outcomes and position in one transaction, the position first, so that two writers never both
 * write (R-FOLD-8).
 * @throws StalePositionError with nothing written
 */
export async function writeBatch(db: Kysely<Schema>, batch: WrittenBatch): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const [, totals] = await atOnce(trx, (one) => [movePosition(one, batch), moveTotalsProgress(one, batch)]);
    const moves = totals ? totalMoves(batch.touched, totals.countedAssets) : NONE_MOVED;
    await atOnce(trx, (one) => [
      writeAssets(one, batch),
      upsertAssetsSeen(one, batch),
      writeFindings(one, batch),
      upsertFindingsSeen(one, batch),
      moveTotals(one, batch.partition, moves),
      upsertUploads(one, batch.partition, batch.uploads),
    ]);
    await trimHistory(
      (statement, values) => trx.executeQuery(CompiledQuery.raw(statement, values)),
      batch.partition,
      batch.trims,
    );
    await insertActs(trx, batch);
    await upsertOrganization(trx, batch);
    await quarantine(trx, batch);
  });
}

/**
 * A partition that was never folded has no row to move; its totals are complete.
 * @returns the number of the table of positions, which a replay replaces together with all folded tables
 */
export async function ensurePosition(db: Kysely<Schema>, partition: number): Promise<number> {
  await sql`
    with created as (
      insert into projection_positions (partition) values (${partition}) on conflict do nothing returning partition
    )
    insert into totals_progress (partition, findings_table, next_offset)
    select partition, ${FINDINGS_TABLE}, 0 from created
    on conflict (partition, findings_table) do update set next_offset = 0, counted_assets = null`.execute(db);
  const { rows } = await sql<{ table: number }>`
    select tableoid::bigint as table from projection_positions where partition = ${partition}`.execute(db);
  return rows[0]!.table;
}

const FINDINGS_TABLE = sql.raw(FINDINGS_TABLE_SQL);

/** @throws StalePositionError */
async function movePosition(
  trx: QueryExecutorProvider,
  { partition, firstOffset, table, position }: WrittenBatch,
): Promise<void> {
  const { numAffectedRows } = await sql`
    /* move_position */
    update projection_positions set
      next_offset = ${position.nextOffset},
      clock = ${isoTime(position.clock)},
      asset_counter = ${position.assetCounter},
      finding_sequence = ${position.findingSequence},
      digested_sequence = ${position.findingSequence},
      asset_sequence = ${position.assetSequence}
    where partition = ${partition} and next_offset = ${firstOffset} and tableoid = ${table}::oid`.execute(
    trx,
  );
  if (numAffectedRows === 0n) {
    throw new StalePositionError(
      `partition ${partition} is not at offset ${firstOffset}, or its tables were replaced`,
    );
  }
}

/**
 * Moves the position of the totals if it is the start of the batch. After the position, not in the same statement: a
 * statement that waited for a step of `countTotals` does not see what the step stored.
 * @returns which assets the totals count, null: all; null if the totals are not those of the start of the batch
 */
async function moveTotalsProgress(
  trx: QueryExecutorProvider,
  { partition, firstOffset, position }: WrittenBatch,
): Promise<{ countedAssets: number | null } | null> {
  const { rows } = await sql<{ countedAssets: number | null }>`
    /* move_totals_progress */
    update totals_progress set next_offset = ${position.nextOffset}
    where partition = ${partition} and findings_table = ${FINDINGS_TABLE} and next_offset = ${firstOffset}
    returning counted_assets as "countedAssets"`.execute(trx);
  return rows[0] ?? null;
}

/**
 * A column of epoch milliseconds (bigint) as a time: numbers are cheaper to make and to read than texts. Whole seconds
 * apart, since PostgreSQL computes in floating point, which is not exact for the year 9999.
 */
const timeOf = (column: string) =>
  sql`(to_timestamp(${sql.ref(column)} / 1000) + ${sql.ref(column)} % 1000 * interval '1 millisecond')`;
/** SQL of one of the packed texts. */
const textOf = ({ bytes }: PackedTexts, start: string, length: string) =>
  sql`convert_from(substring(${bytes}::bytea from ${sql.ref(start)} for ${sql.ref(length)}), 'UTF8')`;

/** Which changes are the last of their row: that one is the row's state, all of them are history. */
function lastOfEach<T>(changes: T[], rowOf: (change: T) => unknown): boolean[] {
  const last = new Map(changes.map((change, i) => [rowOf(change), i]));
  return changes.map((change, i) => last.get(rowOf(change)) === i);
}

/** Rows and history in one statement, so that the JSON of each change is sent and checked once. */
async function writeAssets(trx: QueryExecutorProvider, { partition, ...batch }: WrittenBatch): Promise<void> {
  const changes = batch.changes.filter(({ change }) => change.kind === 'asset');
  if (changes.length === 0) return;
  const assets = changes.map(({ change }) => (change as Change & { kind: 'asset' }).asset);
  const typings = assets.map(({ typing, defaults }) => typing ?? defaults.typing);
  const causes = packTexts(changes.map(({ envelope }) => JSON.stringify(causeOf(envelope))));
  const states = packTexts(changes.map(({ json }) => json));
  await sql`
    /* write_assets */
    with changed as (
      select *, ${partition}::int as partition, ${timeOf('at_ms')} as at, ${timeOf('deleted_ms')} as deleted_at,
             sources_text::text[] as sources, edr_sources_text::text[] as edr_sources,
             stated_devices_text::text[] as stated_devices,
             ${textOf(causes, 'cause_start', 'cause_length')}::json as cause,
             ${textOf(states, 'state_start', 'state_length')}::json as state
      from ${unnested({
        sequence: [bareLiteral(changes.map(({ sequence }) => sequence)), 'bigint'],
        is_last: [bareLiteral(lastOfEach(assets, ({ number }) => number)), 'boolean'],
        asset_no: [bareLiteral(assets.map(({ number }) => number)), 'bigint'],
        id: [bareLiteral(assets.map(({ id }) => id)), 'uuid'],
        entity_key: [arrayLiteral(changes.map(({ envelope }) => envelope.entityKey)), 'text'],
        name: [assets.map(({ name }) => name), 'text'],
        type: [typings.map(({ type }) => type), 'text'],
        attack_surface: [typings.map(({ attackSurface }) => attackSurface), 'text'],
        department: [assets.map(({ department, defaults }) => department ?? defaults.department), 'text'],
        location: [assets.map(({ location, defaults }) => location ?? defaults.location), 'text'],
        criticality: [assets.map(({ criticality }) => criticality), 'text'],
        sources_text: [assets.map(({ sources }) => arrayLiteral(sources)), 'text'],
        edr_sources_text: [assets.map(({ edrSources = [] }) => arrayLiteral(edrSources)), 'text'],
        stated_devices_text: [assets.map((asset) => arrayLiteral(statedDevices(asset))), 'text'],
        custom_fields: [assets.map(({ customFields }) => JSON.stringify(customFields)), 'jsonb'],
        deleted_ms: [bareLiteral(assets.map(({ deletedAt }) => deletedAt)), 'bigint'],
        at_ms: [bareLiteral(changes.map(({ change }) => change.at)), 'bigint'],
        change: [bareLiteral(changes.map(({ change }) => change.change)), 'text'],
        log_offset: [bareLiteral(changes.map(({ offset }) => offset)), 'bigint'],
        cause_start: [bareLiteral(causes.starts), 'int'],
        cause_length: [bareLiteral(causes.lengths), 'int'],
        state_start: [bareLiteral(states.starts), 'int'],
        state_length: [bareLiteral(states.lengths), 'int'],
      })}
    ), history as (
      insert into ${withColumns('asset_history')} select ${columnList('asset_history')} from changed
    )
    insert into ${withColumns('assets')} select ${columnList('assets')} from changed where is_last
    ${onConflictUpdate('assets')}`.execute(trx);
}

/** Also of every asset with a changed finding: its due time, and since when it is idle, follow from its findings. */
async function upsertAssetsSeen(
  trx: QueryExecutorProvider,
  { partition, touched: { touchedAssets, touchedFindings } }: WrittenBatch,
): Promise<void> {
  const assets = [...new Set([...touchedAssets, ...touchedFindings.values()])];
  if (assets.length === 0) return;
  await sql`
    /* upsert_assets_seen */
    insert into ${withColumns('asset_seen')}
    select ${columnList('asset_seen')} from (
      select *, ${partition}::int as partition, ${timeOf('last_seen_ms')} as last_seen, ${timeOf('due_ms')} as due_at,
             ${timeOf('idle_ms')} as idle_since
      from ${unnested({
        asset_no: [bareLiteral(assets.map(({ asset }) => asset.number)), 'bigint'],
        last_seen_ms: [bareLiteral(assets.map(({ lastSeen }) => lastSeen)), 'bigint'],
        due_ms: [bareLiteral(assets.map(firstDue)), 'bigint'],
        idle_ms: [bareLiteral(assets.map(idleSince)), 'bigint'],
      })}
    ) as seen
    ${onConflictUpdate('asset_seen')}`.execute(trx);
}

async function writeFindings(
  trx: QueryExecutorProvider,
  { partition, ...batch }: WrittenBatch,
): Promise<void> {
  const changes = batch.changes.filter(({ change }) => change.kind === 'finding');
  if (changes.length === 0) return;
  const folded = changes.map(({ change }) => change as Change & { kind: 'finding' });
  const findings = folded.map(({ finding }) => finding);
  const triages = findings.map(triageOf);
  const causes = packTexts(changes.map(({ envelope }) => JSON.stringify(causeOf(envelope))));
  const bodies = packTexts(changes.map(({ json }) => json));
  await sql`
    /* write_findings */
    with changed as (
      select *, ${partition}::int as partition, ${timeOf('at_ms')} as at, ${timeOf('expired_ms')} as expired_at,
             to_state as state, version as derived_version, cves_text::text[] as cves, techniques_text::text[] as techniques,
             tags_text::text[] as tags,
             ${textOf(causes, 'cause_start', 'cause_length')}::json as cause,
             ${textOf(bodies, 'body_start', 'body_length')}::json as body
      from ${unnested({
        sequence: [bareLiteral(changes.map(({ sequence }) => sequence)), 'bigint'],
        is_last: [bareLiteral(lastOfEach(findings, ({ id }) => id)), 'boolean'],
        asset_no: [bareLiteral(folded.map(({ assetNumber }) => assetNumber)), 'bigint'],
        finding_no: [bareLiteral(findings.map(({ number }) => number)), 'int'],
        id: [bareLiteral(findings.map(({ id }) => id)), 'uuid'],
        type: [bareLiteral(findings.map(({ type }) => type)), 'text'],
        name: [arrayLiteral(findings.map(({ name }) => name)), 'text'],
        severity_value: [
          bareLiteral(findings.map((finding) => Math.fround(severityOf(finding).value))),
          'real',
        ],
        cves_text: [arrayLiteral(findings.map((finding) => arrayLiteral(cvesOf(finding)))), 'text'],
        techniques_text: [
          arrayLiteral(findings.map((finding) => arrayLiteral(techniquesOf(finding)))),
          'text',
        ],
        source: [arrayLiteral(findings.map(({ source }) => source.name)), 'text'],
        assignee: [arrayLiteral(triages.map(({ assignee }) => assignee && assigneeKey(assignee))), 'text'],
        tags_text: [
          arrayLiteral(triages.map(({ tags }) => (tags.length === 0 ? null : arrayLiteral(tags)))),
          'text',
        ],
        due_ms: [bareLiteral(triages.map(({ due }) => due?.at ?? null)), 'bigint'],
        failed_since_ms: [bareLiteral(findings.map(({ failedSince }) => failedSince ?? null)), 'bigint'],
        settled_at_ms: [bareLiteral(findings.map(({ settledAt }) => settledAt ?? null)), 'bigint'],
        version: [bareLiteral(findings.map(({ version }) => version)), 'int'],
        at_ms: [bareLiteral(folded.map(({ at }) => at)), 'bigint'],
        expired_ms: [bareLiteral(folded.map(({ expiredAt }) => expiredAt)), 'bigint'],
        change: [bareLiteral(folded.map(({ change }) => change)), 'text'],
        from_state: [bareLiteral(folded.map(({ from }) => from)), 'text'],
        to_state: [bareLiteral(folded.map(({ to }) => to)), 'text'],
        reason: [bareLiteral(folded.map(({ reason }) => reason)), 'text'],
        log_offset: [bareLiteral(changes.map(({ offset }) => offset)), 'bigint'],
        cause_start: [bareLiteral(causes.starts), 'int'],
        cause_length: [bareLiteral(causes.lengths), 'int'],
        body_start: [bareLiteral(bodies.starts), 'int'],
        body_length: [bareLiteral(bodies.lengths), 'int'],
        text_id: [bareLiteral(findings.map(textIdOf)), 'uuid'],
        updated_ms: [bareLiteral(findings.map(({ updatedAt }) => updatedAt)), 'bigint'],
        first_seen_ms: [bareLiteral(findings.map(({ firstSeen }) => firstSeen)), 'bigint'],
      })}
    ), history as (
      insert into ${withColumns('finding_history')} select ${columnList('finding_history')} from changed
    )
    insert into ${withColumns('findings')} select ${columnList('findings')} from changed where is_last
    ${onConflictUpdate('findings')}`.execute(trx);
}

interface SeenRow {
  assetNumber: number;
  /** Of the finding. */
  number: number;
  seen: FindingSeen;
  digest: string | null;
}

function seenRows({ touchedFindings, touchedUnread }: WrittenBatch['touched']): SeenRow[] {
  const rows: SeenRow[] = [];
  for (const [id, { asset, findings }] of touchedFindings) {
    const { finding, seen, digest } = findings.get(id)!;
    rows.push({
      assetNumber: asset.number,
      number: finding.number,
      seen,
      digest: storedDigest({ finding, digest }),
    });
  }
  for (const [{ number, seen, digest }, { asset }] of touchedUnread) {
    rows.push({ assetNumber: asset.number, number, seen, digest });
  }
  return rows;
}

async function upsertFindingsSeen(
  trx: QueryExecutorProvider,
  { partition, touched }: WrittenBatch,
): Promise<void> {
  const rows = seenRows(touched);
  if (rows.length === 0) return;
  const seen = rows.map((row) => row.seen);
  await sql`
    /* upsert_findings_seen */
    insert into ${withColumns('finding_seen')}
    select ${columnList('finding_seen')} from (
      select *, ${partition}::int as partition, ${timeOf('last_seen_ms')} as last_seen,
             ${timeOf('expires_ms')} as expires_at, ${timeOf('retain_ms')} as retain_until, ${timeOf('stamp_ms')} as stamp_at, ${timeOf('seen_ms')} as seen_at
      from ${unnested({
        asset_no: [bareLiteral(rows.map(({ assetNumber }) => assetNumber)), 'bigint'],
        finding_no: [bareLiteral(rows.map(({ number }) => number)), 'int'],
        signal_id: [arrayLiteral(seen.map(({ signalId }) => signalId)), 'text'],
        last_seen_ms: [bareLiteral(seen.map(({ lastSeen }) => lastSeen)), 'bigint'],
        expires_ms: [bareLiteral(seen.map(({ expiresAt }) => expiresAt)), 'bigint'],
        retain_ms: [bareLiteral(seen.map(({ retainUntil }) => retainUntil)), 'bigint'],
        stamp_ms: [bareLiteral(seen.map(({ stamp }) => stamp.at)), 'bigint'],
        stamp_upload: [bareLiteral(seen.map(({ stamp }) => stamp.uploadId)), 'uuid'],
        instance_stamps: [
          arrayLiteral(seen.map(({ instanceStamps }) => instanceStamps && JSON.stringify(instanceStamps))),
          'json',
        ],
        seen_ms: [bareLiteral(seen.map(({ seenAt }) => seenAt)), 'bigint'],
        digest: [bareLiteral(rows.map(({ digest }) => digest)), 'uuid'],
      })}
    ) as seen
    ${onConflictUpdate('finding_seen')}`.execute(trx);
}

async function upsertUploads(
  trx: QueryExecutorProvider,
  partition: number,
  uploads: UploadState[],
): Promise<void> {
  if (uploads.length === 0) return;
  await sql`
    /* upsert_uploads */
    insert into ${withColumns('upload_progress')}
    select ${columnList('upload_progress')} from (
      select *, ${partition}::int as partition, ${timeOf('received_ms')} as received_at,
             unrecognised_tags_text::text[] as unrecognised_tags
      from ${unnested({
        upload_id: [bareLiteral(uploads.map(({ uploadId }) => uploadId)), 'uuid'],
        kind: [uploads.map(({ kind }) => kind), 'text'],
        by_user: [uploads.map(({ by }) => by), 'text'],
        received_ms: [bareLiteral(uploads.map(({ stamp }) => stamp.at)), 'bigint'],
        seen: [bareLiteral(uploads.map(({ seen }) => seen)), 'int'],
        event_count: [bareLiteral(uploads.map(({ count }) => count)), 'int'],
        signals: [bareLiteral(uploads.map(({ signals }) => signals)), 'int'],
        header: [uploads.map(({ header }) => header && JSON.stringify(header)), 'json'],
        counts: [uploads.map(({ counts }) => JSON.stringify(counts)), 'json'],
        merged: [uploads.map(({ merged }) => JSON.stringify(merged)), 'json'],
        unrecognised_tags_text: [
          uploads.map(({ unrecognisedTags }) => arrayLiteral(unrecognisedTags)),
          'text',
        ],
        changes: [uploads.map(changesJson), 'json'],
        sole_assets: [uploads.map(soleAssetsJson), 'json'],
      })}
    ) as progress
    ${onConflictUpdate('upload_progress')}`.execute(trx);
}

async function insertActs(trx: Transaction<Schema>, { partition, acts }: WrittenBatch): Promise<void> {
  if (acts.length === 0) return;
  await trx
    .insertInto('acts')
    .values(acts.map((act) => actRow(partition, act)))
    .execute();
}

async function upsertOrganization(
  trx: Transaction<Schema>,
  { partition, organization }: WrittenBatch,
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

async function quarantine(trx: Transaction<Schema>, { partition, quarantined }: WrittenBatch): Promise<void> {
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
        at: isoTime(at),
      })),
    )
    .execute();
}
