import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { readTechniques } from '#libs/catalogue-store';
import { DATABASE, isDivided, onOneCore, READ_DATABASE, type Schema } from '#libs/database';
import { type RowLimits, sameAsset } from '#libs/tables';
import { assigneeWays } from '../findings/assignee-ways.ts';
import {
  type FindingFilter,
  fallenDue,
  findingConditions,
  selectedStates,
} from '../findings/finding-conditions.ts';
import { CHANGES_BEFORE_SEARCH, readFindingTexts } from '../findings/finding-texts.ts';
import { type CountedTechnique, countsOfSets } from '../findings/technique-counts.ts';

/** Findings by technique, and the techniques of ATT&CK. */
@Injectable()
export class TechniqueCountsRepository {
  constructor(
    @Inject(DATABASE) private readonly primary: Kysely<Schema>,
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
  ) {}

  /** The techniques of ATT&CK as the catalogues have them at an instant (epoch milliseconds). */
  async techniques(at: number) {
    return (await readTechniques(this.db)).at(at);
  }

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
    if (filter.q !== undefined) await readFindingTexts(this.primary, CHANGES_BEFORE_SEARCH);
    const divided = await isDivided(this.db);
    const isOfSameAsset = sameAsset(divided);
    const conditions = findingConditions(filter, rowLimits, divided);
    const ways = assigneeWays(filter);
    const setsOf = (fit: RawBuilder<SqlBool>, way: RawBuilder<SqlBool>[]) => sql`
      select f.state, f.type, f.techniques, count(*) as findings
      from findings f
      left join ${fallenDue(now)} due on ${isOfSameAsset('due', 'f')} and due.finding_no = f.finding_no
      where f.techniques <> '{}' and ${fit} and f.state = any(${selectedStates(filter)}::text[])
        and ${sql.join([sql`due.asset_no is null`, ...way, ...conditions], sql` and `)}
      group by 1, 2, 3`;
    const sets = (fit: RawBuilder<SqlBool>) =>
      sql.join(
        ways.map((way) => setsOf(fit, way)),
        sql` union all `,
      );
    const counting = sql<CountedTechnique>`
      ${countsOfSets(
        sql`${sets(sql`techniques_fit(f.techniques)`)} union all ${sets(sql`not techniques_fit(f.techniques)`)}`,
        known,
      )} limit ${limit}`;
    return (await onOneCore(this.db, (trx) => counting.execute(trx))).rows;
  }
}
