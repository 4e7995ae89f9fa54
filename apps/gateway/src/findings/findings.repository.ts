import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, isDivided, READ_DATABASE, type Schema } from '#libs/database';
import { type Finding, isoTime, type OwnerRule } from '#libs/domain';
import { TextOpener } from '#libs/sealing';
import {
  belongsToVisible,
  historyKeptFrom,
  type RowLimits,
  ruledRow,
  ruleOf,
  upToPageBytes,
  type WeighedRow,
} from '#libs/tables';
import type { FoldedFinding } from '#libs/views';
import { behindCursor, type ListOrder, orderBy, sortKeyText } from '../paging/sort.ts';
import { assigneeWays } from './assignee-ways.ts';
import { type DueClass, dueClasses, isWithin } from './due-classes.ts';
import type { RemovedHistoryDto } from './finding.dto.ts';
import {
  dueConditions,
  dueWithin,
  type FindingFilter,
  fallenDue,
  findingConditions,
  selectedStates,
} from './finding-conditions.ts';
import { FINDING_SORTS, type FindingOrder } from './finding-sorts.ts';
import { CHANGES_BEFORE_SEARCH, readFindingTexts } from './finding-texts.ts';
import { type FindingNumbers, type HistoryRange, type HistoryRow, readHistory } from './read-history.ts';
import { type Ruled, withOwner } from './ruled.ts';

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
    @Inject(READ_DATABASE) private readonly reads: Kysely<Schema>,
    private readonly opener: TextOpener,
  ) {}

  /**
   * Those after the cursor of `order`, in its order, with expiry evaluated at `now`, in epoch milliseconds (R-EXP-6). Which they
   * are is read from indexes; only the wide rows of those are read, as many as `upToPageBytes` lets through.
   * @param rules that give the owners of assets
   */
  async list(
    filter: FindingFilter,
    rowLimits: RowLimits,
    now: number,
    order: FindingOrder,
    limit: number,
    rules: readonly OwnerRule[] = [],
  ): Promise<ListedFindingRow[]> {
    if (filter.q !== undefined) await readFindingTexts(this.db, CHANGES_BEFORE_SEARCH);
    const divided = await isDivided(this.reads);
    const { rows } = await this.listed(filter, rowLimits, { now, order, limit, rules, divided });
    return rows.map((row) => withOwner(row, rules));
  }

  private listed(
    filter: FindingFilter,
    rowLimits: RowLimits,
    { now, order, limit, rules, divided }: ListReading,
  ) {
    const ofPartition = divided ? sql`partition,` : sql``;
    const withAsset =
      order.key === FINDING_SORTS.assetName ? sql`join assets a using (${ofPartition} asset_no)` : sql``;
    const others = findingConditions(withoutDue(filter), rowLimits, divided);
    const ways = assigneeWays(filter);
    const runs = runsOf(filter, order).flatMap((run) =>
      ways.map(
        (way) => sql`(
        select f.asset_no, f.finding_no, ${run.key} as sort_key from findings f ${withAsset} ${run.join}
        where ${sql.join([...run.conditions, ...way, ...others, ...behindCursor(run.order)], sql` and `)}
        ${orderBy(run.order)} limit ${limit})`,
      ),
    );
    const merged = merge(order);
    const wide = sql`
      select row_number() over (${orderBy(merged)}) as place,
             meant.asset_no as "assetNo", meant.finding_no as "findingNo", a.id as "assetId", a.name as "assetName",
             f.body as finding, s.last_seen as "lastSeen", s.expires_at as "expiresAt",
             s.retain_until as "retainUntil", s.stamp_at as "lastSignalAt", ${sortKeyText(merged)} as "sortKey",
             ${ruleOf(rules, ruledRow('a'))} as rule
      from (
        select * from (${sql.join(runs, sql` union all `)}) meant ${orderBy(merged)} limit ${limit}
      ) meant
      join findings f using (asset_no, finding_no)
      join finding_seen s using (${ofPartition} asset_no, finding_no)
      join assets a using (${ofPartition} asset_no)
      ${orderBy(merged)} limit ${limit}`;
    return sql<Ruled<ListedFindingRow>>`
      with fallen_due as materialized ${fallenDue(now)} ${upToPageBytes<ListedFindingRow>(wide)}`.execute(
      this.reads,
    );
  }

  /** @param rules that give the owners of assets */
  async find(id: string, rows: RowLimits, rules: readonly OwnerRule[] = []): Promise<FindingRow | undefined> {
    const conditions = [sql<SqlBool>`f.id = ${id}`, ...belongsToVisible(rows, 'f')];
    const row = await this.rows(rules).where(sql.join<SqlBool>(conditions, sql` and `)).executeTakeFirst();
    return row && withOwner(findingRow(row), rules);
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

  private rows(rules: readonly OwnerRule[]) {
    return this.db
      .selectFrom('findings as f')
      .innerJoin('finding_seen as s', (join) =>
        join
          .onRef('s.asset_no', '=', 'f.asset_no')
          .onRef('s.finding_no', '=', 'f.finding_no')
          .onRef('s.partition', '=', 'f.partition'),
      )
      .innerJoin('assets as a', (join) =>
        join.onRef('a.asset_no', '=', 'f.asset_no').onRef('a.partition', '=', 'f.partition'),
      )
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
        ruleOf(rules, ruledRow('a')).as('rule'),
      ]);
  }
}

interface ListReading {
  now: number;
  order: FindingOrder;
  limit: number;
  rules: readonly OwnerRule[];
  divided: boolean;
}

/** Findings that an index has in the order of the list: the list is a merge of all runs. */
interface Run {
  join: RawBuilder<unknown>;
  conditions: RawBuilder<SqlBool>[];
  order: ListOrder;
  /** SQL of the sort key; null if the list is sorted only by the numbers. */
  key: RawBuilder<unknown>;
}

const withoutDue = ({ due: _, ...filter }: FindingFilter): FindingFilter => filter;

function runsOf(filter: FindingFilter, order: FindingOrder): Run[] {
  const { due } = filter;
  const states = statesAt(filter);
  const key = order.key ? order.key.column : sql`null::text`;
  const within = due ? dueWithin(due) : null;
  if (due?.state === 'met' || due?.state === 'missed') {
    const remedied = dueConditions(due, []);
    return states.map((state) => ({ join: sql``, conditions: [state, ...remedied], order, key }));
  }
  if (order.key !== FINDING_SORTS.due && within === null) {
    return states.map((state) => ({ join: sql``, conditions: [state], order, key }));
  }
  const selected = selectedStates(filter);
  return dueClasses(due?.sla ?? order.sla ?? null, 'f', filter.severityMin).flatMap((one) => {
    const ordered = order.key === FINDING_SORTS.due ? inOrderOfClass(order, one) : { order, key };
    const run = { ...ordered, join: one.join };
    const conditions = [...one.conditions, ...isWithin(one, within ?? {})];
    if (one.state === null) return states.map((state) => ({ ...run, conditions: [state, ...conditions] }));
    // What has expired is Retired, and has no due date by the SLA.
    return selected.includes(one.state)
      ? [{ ...run, conditions: [sql`not ${IS_FALLEN_DUE}`, ...conditions] }]
      : [];
  });
}

/** The order by due date within a class: that of the stored time. */
function inOrderOfClass(order: ListOrder, { since, afterMs }: DueClass): Pick<Run, 'order' | 'key'> {
  const after = order.after && { ...order.after, key: String(Number(order.after.key) - afterMs) };
  return {
    order: { ...order, key: { ...order.key!, column: since }, after },
    key: sql`${since} + ${afterMs}::bigint`,
  };
}

/** The order of a list over its runs. */
const merge = (order: ListOrder): ListOrder => ({
  ...order,
  key: order.key && { ...order.key, column: sql`meant.sort_key` },
  numbers: [sql`meant.asset_no`, sql`meant.finding_no`],
});

const IS_FALLEN_DUE = sql<SqlBool>`(f.asset_no, f.finding_no) in (select asset_no, finding_no from fallen_due)`;

/**
 * The requested states, each as a condition with its own index: findings stored with the state that are not due, and
 * for Retired also findings that have expired since the fold.
 */
function statesAt(filter: FindingFilter): RawBuilder<SqlBool>[] {
  const states = selectedStates(filter);
  const stored = sql<SqlBool>`f.state = any(${states}::text[]) and (f.state = 'Retired' or not ${IS_FALLEN_DUE})`;
  if (!states.includes('Retired')) return [stored];
  return [stored, sql<SqlBool>`f.state <> 'Retired' and ${IS_FALLEN_DUE}`];
}

type Selected = Awaited<ReturnType<ReturnType<FindingsRepository['rows']>['executeTakeFirstOrThrow']>>;

const findingRow = (row: Selected): Ruled<FindingRow> => ({
  assetNo: row.asset_no,
  findingNo: row.finding_no,
  assetId: row.asset_id,
  assetName: row.asset_name,
  finding: row.body as Finding,
  lastSeen: row.last_seen,
  expiresAt: row.expires_at,
  retainUntil: row.retain_until,
  lastSignalAt: row.stamp_at,
  rule: row.rule,
});
