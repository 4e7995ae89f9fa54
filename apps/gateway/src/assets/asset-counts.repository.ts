import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { READ_DATABASE, type Schema } from '#libs/database';
import type { PastRead } from '../paging/past-reads.ts';
import { type AssetConditions, assetConditions } from './asset-conditions.ts';
import { VALUES_MAX } from './asset-counts.dto.ts';
import { assetsAt, stepOverAssets } from './assets-as-of.repository.ts';

/** How many assets have a value; `total` counts all of them. */
export interface CountedAssets {
  kind: 'total' | 'type' | 'attackSurface' | 'department' | 'location' | 'criticality';
  value: string;
  count: number;
}

@Injectable()
export class AssetCountsRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /** One pass over the assets that match, the most frequent values first; without a filter over all of them. */
  count(conditions: AssetConditions): Promise<CountedAssets[]> {
    return this.countOf(
      sql`(select * from assets a where ${sql.join(assetConditions(conditions), sql` and `)})`,
    );
  }

  /**
   * As they stood at an instant, in epoch milliseconds; every asset is looked up in the history.
   * @throws what `read` throws before a step
   */
  async countAt(conditions: AssetConditions, at: number, read: PastRead): Promise<CountedAssets[]> {
    await stepOverAssets(this.db, read);
    return this.countOf(sql`(${assetsAt(conditions, at)})`);
  }

  /**
   * Assets that are alike are counted first: PostgreSQL that is divided over machines refuses grouping sets of its tables,
   * but not of a result.
   * @param assets a query in brackets with the counted columns
   */
  private async countOf(assets: RawBuilder<unknown>): Promise<CountedAssets[]> {
    const { rows } = await sql<CountedAssets>`
      with alike as materialized (
        select a.type, a.attack_surface, a.department, a.location, a.criticality, count(*) as assets
        from ${assets} a group by 1, 2, 3, 4, 5
      )
      select kind, value, count::int from (
        select kind, value, count, row_number() over (partition by kind order by count desc, value) as place
        from (
          select (array['criticality', 'location', 'department', 'attackSurface', 'type', 'total'])[
                   case grouping(a.type, a.attack_surface, a.department, a.location, a.criticality)
                     when 30 then 1 when 29 then 2 when 27 then 3 when 23 then 4 when 15 then 5 else 6 end] as kind,
                 coalesce(a.type, a.attack_surface, a.department, a.location, a.criticality, 'none') as value,
                 coalesce(sum(a.assets), 0) as count
          from alike a
          group by grouping sets ((a.type), (a.attack_surface), (a.department), (a.location), (a.criticality), ())
        ) counted
      ) placed
      where place <= ${VALUES_MAX}
      order by kind, place`.execute(this.db);
    return rows;
  }
}
