import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, onOneCore, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { type FindingFilter, fallenDue, findingConditions, selectedStates } from './finding-conditions.ts';
import { CHANGES_BEFORE_SEARCH, readFindingTexts } from './finding-texts.ts';

/** How many findings are alike in everything that is counted by. */
export interface CountedFindings {
  state: string;
  type: string;
  severityLevel: string;
  assetType: string;
  count: number;
}

@Injectable()
export class FindingCountsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Counts within PostgreSQL, from an index with all counted columns: neither the wide rows nor the fields that signals
   * update are read, because only findings that the sweep has not retired yet can have expired. Expiry is evaluated at
   * `now`, in epoch milliseconds (R-EXP-6).
   */
  async count(filter: FindingFilter, rowLimits: RowLimits, now: number): Promise<CountedFindings[]> {
    if (filter.q !== undefined) await readFindingTexts(this.db, CHANGES_BEFORE_SEARCH);
    const states = selectedStates(filter);
    const isStored = sql`f.state = any(${states}::text[])`;
    const isSelected = states.includes('Retired')
      ? sql`case when due.asset_no is null or f.state = 'Retired' then ${isStored} else true end`
      : sql`${isStored} and due.asset_no is null`;
    const counting = sql<CountedFindings>`
      select case when due.asset_no is null then f.state else 'Retired' end as state, f.type,
             ${severityLevel(sql`f.severity_value`)} as "severityLevel", a.type as "assetType", count(*)::int as count
      from findings f
      left join ${fallenDue(now)} due on due.asset_no = f.asset_no and due.finding_no = f.finding_no
      join assets a on a.asset_no = f.asset_no
      where ${sql.join([isSelected, ...conditionsOf(filter, rowLimits)], sql` and `)}
      group by 1, 2, 3, 4`;
    const { rows } = await onOneCore(this.db, (trx) => counting.execute(trx));
    return rows;
  }
}

/** Findings that are not assigned are found by the index of those that are: the wide rows are not read. */
function conditionsOf({ assigned, ...filter }: FindingFilter, rowLimits: RowLimits): RawBuilder<SqlBool>[] {
  if (assigned !== 'false') {
    return findingConditions(assigned === undefined ? filter : { ...filter, assigned }, rowLimits);
  }
  return [...findingConditions(filter, rowLimits), IS_UNASSIGNED];
}

const IS_UNASSIGNED = sql<SqlBool>`
  not exists (select from findings t
    where t.assignee is not null and t.asset_no = f.asset_no and t.finding_no = f.finding_no)`;

/** Level of a severity's value (CVSS v3.1, section 5). */
export const severityLevel = (value: RawBuilder<unknown>): RawBuilder<string> => sql`
  case when ${value} >= 9 then 'critical' when ${value} >= 7 then 'high'
       when ${value} >= 4 then 'medium' when ${value} >= 0.1 then 'low' else 'info' end`;
