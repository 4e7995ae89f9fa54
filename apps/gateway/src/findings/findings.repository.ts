import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type Finding, isoTime } from '#libs/domain';
import { TextOpener } from '#libs/sealing';
import {
  belongsToVisible,
  historyKeptFrom,
  type RowLimits,
  upToPageBytes,
  type WeighedRow,
} from '#libs/tables';
import type { FoldedFinding } from '#libs/views';
import { behindCursor, type ListOrder, orderBy, sortKeyText } from '../paging/sort.ts';
import type { RemovedHistoryDto } from './finding.dto.ts';
import { type FindingFilter, fallenDue, findingConditions, selectedStates } from './finding-conditions.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { CHANGES_BEFORE_SEARCH, readFindingTexts } from './finding-texts.ts';
import { type FindingNumbers, type HistoryRange, type HistoryRow, readHistory } from './read-history.ts';

/** A finding as stored, with the other data of its view. */
export interface FindingRow extends FindingNumbers, FoldedFinding {}

/** A finding in a list. */
export interface ListedFindingRow extends FindingRow, WeighedRow {
  /** The sort key, as text; null if the list is sorted only by the numbers. */
  sortKey: string | null;
}

@Injectable()
export class FindingsRepository {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly opener: TextOpener,
  ) {}

  /**
   * Those after the cursor of `order`, in its order, with expiry evaluated at `now`, in epoch milliseconds (R-EXP-6). Which they
   * are is read from indexes; only the wide rows of those are read, as many as `upToPageBytes` lets through.
   */
  async list(
    filter: FindingFilter,
    rowLimits: RowLimits,
    now: number,
    order: ListOrder,
    limit: number,
  ): Promise<ListedFindingRow[]> {
    if (filter.q !== undefined) await readFindingTexts(this.db, CHANGES_BEFORE_SEARCH);
    const conditions = [...findingConditions(filter, rowLimits), ...behindCursor(order)];
    const ordered = sql`${orderBy(order)} limit ${limit}`;
    const withAsset = order.key === FINDING_SORTS.assetName ? sql`join assets a using (asset_no)` : sql``;
    const branches = statesAt(filter).map(
      (state) => sql`(
        select f.asset_no, f.finding_no from findings f ${withAsset}
        where ${sql.join([state, ...conditions], sql` and `)} ${ordered})`,
    );
    const wide = sql`
      select row_number() over (${orderBy(order)}) as place,
             f.asset_no as "assetNo", f.finding_no as "findingNo", a.id as "assetId", a.name as "assetName",
             f.body as finding, s.last_seen as "lastSeen", s.expires_at as "expiresAt",
             s.retain_until as "retainUntil", s.stamp_at as "lastSignalAt", ${sortKeyText(order)} as "sortKey"
      from (${sql.join(branches, sql` union all `)}) meant
      join findings f using (asset_no, finding_no)
      join finding_seen s using (asset_no, finding_no) join assets a using (asset_no)
      ${ordered}`;
    const { rows } = await sql<ListedFindingRow>`
      with fallen_due as materialized ${fallenDue(now)} ${upToPageBytes<ListedFindingRow>(wide)}`.execute(
      this.db,
    );
    return rows;
  }

  async find(id: string, rows: RowLimits): Promise<FindingRow | undefined> {
    const conditions = [sql<SqlBool>`f.id = ${id}`, ...belongsToVisible(rows, 'f')];
    const row = await this.rows().where(sql.join<SqlBool>(conditions, sql` and `)).executeTakeFirst();
    return row && findingRow(row);
  }

  /** Changes of a finding that were removed under the retention of the history; null if none was. */
  async removedHistory({ assetNo, findingNo }: FindingNumbers): Promise<RemovedHistoryDto | null> {
    const { rows } = await sql<{ version: number; type: string; partition: number }>`
      select (h.body ->> 'version')::int as version, f.type, f.partition
      from findings f
      join finding_history h using (asset_no, finding_no, partition)
      where f.asset_no = ${assetNo} and f.finding_no = ${findingNo}
      order by h.sequence limit 1`.execute(this.db);
    const { version, type, partition } = rows[0]!;
    const from = version > 1 ? await historyKeptFrom(this.db, { partition, types: [type] }) : null;
    return from === null ? null : { changes: version - 1, before: isoTime(from) };
  }

  /** As `readHistory`. */
  history<T>(
    finding: FindingNumbers,
    range: HistoryRange,
    rows: RowLimits,
    view: (row: HistoryRow, before: Finding | null) => T,
  ): Promise<T[]> {
    return readHistory(this.db, finding, range, rows, (read) => this.opener.value(read), view);
  }

  /** By the ids of their syncs; a sync that this site does not know has none. */
  async integrationsOf(syncIds: (string | null)[]): Promise<Map<string | null, string>> {
    const wanted = [...new Set(syncIds.filter((id) => id !== null))].filter((id) => isUUID(id));
    if (wanted.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('syncs')
      .select(['id', 'integration_id'])
      .where('id', 'in', wanted)
      .execute();
    return new Map(rows.map(({ id, integration_id }) => [id, integration_id]));
  }

  private rows() {
    return this.db
      .selectFrom('findings as f')
      .innerJoin('finding_seen as s', (join) =>
        join.onRef('s.asset_no', '=', 'f.asset_no').onRef('s.finding_no', '=', 'f.finding_no'),
      )
      .innerJoin('assets as a', 'a.asset_no', 'f.asset_no')
      .select([
        'f.asset_no',
        'f.finding_no',
        'f.body',
        'a.id as asset_id',
        'a.name as asset_name',
        's.last_seen',
        's.expires_at',
        's.retain_until',
        's.stamp_at',
      ]);
  }
}

/**
 * The requested states, each as a condition with its own index: findings stored with the state that are not due, and
 * for Retired also findings that have expired since the fold.
 */
function statesAt(filter: FindingFilter): RawBuilder<SqlBool>[] {
  const states = selectedStates(filter);
  const isDue = sql<SqlBool>`(f.asset_no, f.finding_no) in (select asset_no, finding_no from fallen_due)`;
  const stored = sql<SqlBool>`f.state = any(${states}::text[]) and (f.state = 'Retired' or not ${isDue})`;
  if (!states.includes('Retired')) return [stored];
  return [stored, sql<SqlBool>`f.state <> 'Retired' and ${isDue}`];
}

type Selected = Awaited<ReturnType<ReturnType<FindingsRepository['rows']>['executeTakeFirstOrThrow']>>;

const findingRow = (row: Selected): FindingRow => ({
  assetNo: row.asset_no,
  findingNo: row.finding_no,
  assetId: row.asset_id,
  assetName: row.asset_name,
  finding: row.body as Finding,
  lastSeen: row.last_seen,
  expiresAt: row.expires_at,
  retainUntil: row.retain_until,
  lastSignalAt: row.stamp_at,
});
