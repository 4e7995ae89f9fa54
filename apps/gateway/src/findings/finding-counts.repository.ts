import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DATABASE, isDivided, onOneCore, READ_DATABASE, type Schema } from '#libs/database';
import { type RowLimits, sameAsset } from '#libs/tables';
import { assigneeWays, countedAssignee } from './assignee-ways.ts';
import { type FindingFilter, fallenDue, findingConditions, selectedStates } from './finding-conditions.ts';
import { CHANGES_BEFORE_SEARCH, readFindingTexts } from './finding-texts.ts';

/** How many findings are alike in everything that is counted by; several rows can be alike too. */
export interface CountedFindings {
  state: string;
  type: string;
  severityLevel: string;
  assetType: string;
  count: number;
}

@Injectable()
export class FindingCountsRepository {
  constructor(
    @Inject(DATABASE) private readonly primary: Kysely<Schema>,
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
  ) {}

  /**
   * Counts within PostgreSQL, from an index with all counted columns: neither the wide rows nor the fields that signals
   * update are read, because only findings that the sweep has not retired yet can have expired. Expiry is evaluated at
   * `now`, in epoch milliseconds (R-EXP-6).
   */
  async count(filter: FindingFilter, rowLimits: RowLimits, now: number): Promise<CountedFindings[]> {
    if (filter.q !== undefined) await readFindingTexts(this.primary, CHANGES_BEFORE_SEARCH);
    const states = selectedStates(filter);
    const isStored = sql`f.state = any(${states}::text[])`;
    const isSelected = states.includes('Retired')
      ? sql`case when due.asset_no is null or f.state = 'Retired' then ${isStored} else true end`
      : sql`${isStored} and due.asset_no is null`;
    const divided = await isDivided(this.db);
    const isOfSameAsset = sameAsset(divided);
    const conditions = findingConditions(filter, rowLimits, divided);
    const counts = assigneeWays(filter, countedAssignee(divided)).map(
      (way) => sql`
      select case when due.asset_no is null then f.state else 'Retired' end as state, f.type,
             severity_level(f.severity_value) as "severityLevel", a.type as "assetType", count(*)::int as count
      from findings f
      left join fallen_due due on ${isOfSameAsset('due', 'f')} and due.finding_no = f.finding_no
      join assets a on ${isOfSameAsset('a', 'f')}
      where ${sql.join([isSelected, ...way, ...conditions], sql` and `)}
      group by 1, 2, 3, 4`,
    );
    // Materialized: where the planner expects few rows, it would look up the times of each instead.
    const counting = sql<CountedFindings>`
      with fallen_due as materialized ${fallenDue(now)} ${sql.join(counts, sql` union all `)}`;
    const { rows } = await onOneCore(this.db, async (trx) => {
      if (hasFirstSeen(filter)) await avoidWideRows(trx);
      return counting.execute(trx);
    });
    return rows;
  }
}

const hasFirstSeen = ({ firstSeenAfter, firstSeenBefore }: FindingFilter): boolean =>
  firstSeenAfter !== undefined || firstSeenBefore !== undefined;

/**
 * For a filter by an expression on the body, which an index has: the planner thinks that the expression costs nothing and
 * reads the table, where it parses the JSON of each finding (ADR-0139). With enough memory, a bitmap names the matching
 * rows, and none is parsed.
 */
async function avoidWideRows(trx: Transaction<Schema>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(trx);
  await sql`set local work_mem = '64MB'`.execute(trx);
}
