import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, isDivided, READ_DATABASE, type Schema } from '#libs/database';
import { type RowLimits, sameAsset } from '#libs/tables';
import type { FindingFilter } from './finding-conditions.ts';
import { countFindings, matchingFindings, PRESENT_STATE, withFallenDue } from './matching-findings.ts';

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
    const divided = await isDivided(this.db);
    const counts = matchingFindings(filter, rowLimits, divided, {
      columns: sql`
        ${PRESENT_STATE} as state, f.type, severity_level(f.severity_value) as "severityLevel",
        a.type as "assetType", count(*)::int as count`,
      join: sql`join assets a on ${sameAsset(divided)('a', 'f')}`,
      end: sql`group by 1, 2, 3, 4`,
    });
    const counting = sql<CountedFindings>`${withFallenDue(now)} ${counts}`;
    return (await countFindings(this.primary, this.db, filter, (trx) => counting.execute(trx))).rows;
  }
}
