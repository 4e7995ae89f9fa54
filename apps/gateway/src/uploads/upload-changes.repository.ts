import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isDivided, READ_DATABASE, type Schema } from '#libs/database';
import type { UploadChanges } from '#libs/domain';
import { belongedToVisibleAfter, historyKeptFrom, type RowLimits, recordedChanges } from '#libs/tables';
import type { Run } from './unread-runs.ts';
import type { ChangedKind, UploadChangeDto } from './upload-changes.dto.ts';

/** What an upload changed in a partition; null: unknown. */
export interface PartitionChanges {
  partition: number;
  receivedAt: number;
  changes: UploadChanges | null;
}

/** A change of an asset or a finding; `to` is null for assets. */
export interface UploadChangeRow {
  kind: ChangedKind;
  partition: number;
  sequence: number;
  at: number;
  change: string;
  from: string | null;
  to: string | null;
  reason: string | null;
  cause: UploadChangeDto['cause'];
  logOffset: number;
  version: number;
  asset: { id: string; name: string };
  finding: { id: string; type: string; name: string } | null;
}

export interface UploadChangesFilter {
  change: readonly string[] | undefined;
  to: readonly string[] | undefined;
}

/** The columns of the two histories, under one name. The asset is as it was after the change. */
const SELECTED: Record<ChangedKind, { columns: RawBuilder<unknown>; to: string }> = {
  asset: {
    columns: sql`
      null as "from", null as "to", null as reason, (h.state ->> 'version')::int as version,
      h.state ->> 'id' as asset_id, h.state ->> 'name' as asset_name,
      null as finding_id, null as finding_type, null as finding_name`,
    to: 'null',
  },
  finding: {
    columns: sql`
      h.from_state as "from", h.to_state as "to", h.reason, (h.body ->> 'version')::int as version,
      a.id as asset_id, a.name as asset_name,
      h.body ->> 'id' as finding_id, h.body ->> 'type' as finding_type, h.body ->> 'name' as finding_name`,
    to: 'h.to_state',
  },
};

/** The asset to which a change of a finding belonged. */
const ASSET_THEN = sql`
  cross join lateral (
    select state ->> 'id' as id, state ->> 'name' as name from asset_history
    where asset_no = h.asset_no and partition = h.partition and log_offset <= h.log_offset
    order by sequence desc limit 1) a`;

@Injectable()
export class UploadChangesRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /** Whether the gateway has received the upload: it may not be folded yet. */
  async exists(uploadId: string): Promise<boolean> {
    const receipt = await this.db
      .selectFrom('upload_receipts')
      .select('upload_id')
      .where('upload_id', '=', uploadId)
      .executeTakeFirst();
    return receipt !== undefined;
  }

  /** By partition; those in which nothing of the upload is folded are absent. */
  async partitionsOf(uploadId: string): Promise<PartitionChanges[]> {
    const rows = await this.db
      .selectFrom('upload_progress')
      .select(['partition', 'received_at', 'seen', 'changes'])
      .where('upload_id', '=', uploadId)
      .orderBy('partition')
      .execute();
    return rows.map((row) => ({
      partition: row.partition,
      receivedAt: row.received_at,
      changes: recordedChanges(row),
    }));
  }

  /** Since when (epoch ms) the history of all findings is complete; null if nothing was removed. */
  keptFrom(): Promise<number | null> {
    return historyKeptFrom(this.db);
  }

  /**
   * The first changes of an upload in runs of one kind, in order. Reads at most the sequences of the runs, by the
   * primary key of the history; a run contains changes of other uploads too.
   */
  async read(
    uploadId: string,
    runs: readonly Run[],
    filter: UploadChangesFilter,
    rowLimits: RowLimits,
    limit: number,
  ): Promise<UploadChangeRow[]> {
    const { kind } = runs[0]!;
    const { columns, to } = SELECTED[kind];
    const conditions: RawBuilder<SqlBool>[] = [
      sql`h.cause ->> 'uploadId' = ${uploadId}`,
      ...(filter.change === undefined ? [] : [sql<SqlBool>`h.change = any(${[...filter.change]}::text[])`]),
      ...(filter.to === undefined ? [] : [sql<SqlBool>`${sql.raw(to)} = any(${[...filter.to]}::text[])`]),
      ...belongedToVisibleAfter(rowLimits, 'h', sql.ref('h.log_offset')),
    ];
    const isOfRun = sql`
      h.partition = run.partition and h.sequence between run.first and run.last and ${sql.join(conditions, sql` and `)}`;
    const history = sql.table(`${kind}_history`);
    // Each machine of a divided database reads all of the runs of its partitions.
    const changes = (await isDivided(this.db))
      ? sql`join ${history} h on ${isOfRun}`
      : sql`cross join lateral (
        select * from ${history} h where ${isOfRun} order by h.sequence limit ${limit}) h`;
    const { rows } = await sql<FlatRow>`
      select h.partition, h.sequence, h.at, h.change, h.cause, h.log_offset, ${columns}
      from unnest(
        ${runs.map(({ partition }) => partition)}::int[],
        ${runs.map(({ first }) => first)}::bigint[],
        ${runs.map(({ last }) => last)}::bigint[],
        ${runs.map((_, place) => place)}::int[]) as run(partition, first, last, place)
      ${changes}
      ${kind === 'finding' ? ASSET_THEN : sql``}
      order by run.place, h.sequence limit ${limit}`.execute(this.db);
    return rows.map((row) => changeRow(kind, row));
  }
}

interface FlatRow {
  partition: number;
  sequence: number;
  at: number;
  change: string;
  cause: UploadChangeDto['cause'];
  log_offset: number;
  from: string | null;
  to: string | null;
  reason: string | null;
  version: number;
  asset_id: string;
  asset_name: string;
  finding_id: string | null;
  finding_type: string;
  finding_name: string;
}

const changeRow = (kind: ChangedKind, row: FlatRow): UploadChangeRow => ({
  kind,
  partition: row.partition,
  sequence: row.sequence,
  at: row.at,
  change: row.change,
  from: row.from,
  to: row.to,
  reason: row.reason,
  cause: row.cause,
  logOffset: row.log_offset,
  version: row.version,
  asset: { id: row.asset_id, name: row.asset_name },
  finding:
    row.finding_id === null ? null : { id: row.finding_id, type: row.finding_type, name: row.finding_name },
});
