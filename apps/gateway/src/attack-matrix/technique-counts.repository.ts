import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, isDivided, READ_DATABASE, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import type { FindingFilter } from '../findings/finding-conditions.ts';
import {
  countFindings,
  HAS_INDEXED_MAPPINGS,
  HAS_TOO_MANY_MAPPINGS,
  matchingFindings,
  PRESENT_STATE,
  withFallenDue,
} from '../findings/matching-findings.ts';
import { type CountedTechnique, countsOfSets } from '../findings/technique-counts.ts';

/** Findings by technique. */
@Injectable()
export class TechniqueCountsRepository {
  constructor(
    @Inject(DATABASE) private readonly primary: Kysely<Schema>,
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
  ) {}

  /**
   * Counts within PostgreSQL, from an index with all counted columns: findings with the same techniques are one row
   * before their techniques are told apart. Expiry is evaluated at `now`, in epoch milliseconds (R-EXP-6).
   * @param known ids of the techniques of all matrices
   * @param limit of the rows, which is more than the techniques of the matrices
   */
  async count(
    filter: FindingFilter,
    rowLimits: RowLimits,
    now: number,
    known: readonly string[],
    limit: number,
  ): Promise<CountedTechnique[]> {
    const divided = await isDivided(this.db);
    const sets = [HAS_INDEXED_MAPPINGS, HAS_TOO_MANY_MAPPINGS].map((part) =>
      matchingFindings(filter, rowLimits, divided, {
        columns: sql`${PRESENT_STATE} as state, f.type, f.techniques, count(*) as findings`,
        conditions: [sql`f.techniques <> '{}'`, part],
        end: sql`group by 1, 2, 3`,
      }),
    );
    const counting = sql<CountedTechnique>`
      ${withFallenDue(now)}
      ${countsOfSets(sql.join(sets, sql` union all `), known)} limit ${limit}`;
    return (await countFindings(this.primary, this.db, filter, (trx) => counting.execute(trx))).rows;
  }
}
