import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { isDivided, onOneCore, READ_DATABASE, type Schema } from '#libs/database';
import { OPEN_STATES, type OwnerRule } from '#libs/domain';
import { ruledRow, ruleOf } from '#libs/tables';
import { countedAssignee } from '../findings/assignee-ways.ts';
import { fallenDue } from '../findings/finding-conditions.ts';

/** Live assets that the same rules of two lists match first, and their open findings that no user has assigned. */
export interface OwnedCounts {
  /** Place of the rule in each list, from 0; null: none matches. */
  before: number | null;
  after: number | null;
  assets: number;
  findings: number;
}

@Injectable()
export class OwnedCountsRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /** Looks at every asset, and at every open finding in an index. Expiry is evaluated at `now`, in epoch milliseconds. */
  async count(
    before: readonly OwnerRule[],
    after: readonly OwnerRule[],
    now: number,
  ): Promise<OwnedCounts[]> {
    const { isUnassigned } = countedAssignee(await isDivided(this.db));
    const counting = sql<OwnedCounts>`
      with open as materialized (
        select f.asset_no, count(*) as findings
        from findings f
        where f.state = any(${[...OPEN_STATES]}::text[]) and ${isUnassigned}
          and (f.asset_no, f.finding_no) not in (select asset_no, finding_no from ${fallenDue(now)} due)
        group by 1
      ), ruled as materialized (
        select a.asset_no, ${ruleOf(before, ruledRow('a'))} as before, ${ruleOf(after, ruledRow('a'))} as after
        from assets a where a.deleted_at is null
      )
      select before, after, count(*)::int as assets, coalesce(sum(findings), 0)::int as findings
      from ruled left join open using (asset_no)
      group by 1, 2`;
    return (await onOneCore(this.db, (trx) => counting.execute(trx))).rows;
  }
}
