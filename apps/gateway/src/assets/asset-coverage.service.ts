import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { READ_DATABASE, type Schema } from '#libs/database';
import { isVisibleAsset, type RowLimits } from '#libs/tables';
import { type AssetCoverageDto, SOURCES_MAX } from './asset-coverage.dto.ts';
import { isNotSeenSince, notSeenSince } from './not-seen.ts';

@Injectable()
export class AssetCoverage {
  constructor(
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Of the live assets that the caller may see, in total and by source, how many are no longer reported. */
  async read(notSeenDays: number, visible: RowLimits): Promise<AssetCoverageDto> {
    const isLive = sql.join([sql`a.deleted_at is null`, ...isVisibleAsset(visible, 'a')], sql` and `);
    // The element null counts each asset once.
    const { rows } = await sql<{ source: string | null; assets: number; notSeen: number }>`
      select source, count(*)::int as assets,
             (count(*) filter (where ${isNotSeenSince(notSeenSince(notSeenDays, this.clock()))}))::int as "notSeen"
      from assets a
      join asset_seen s using (partition, asset_no)
      cross join lateral unnest(array_append(a.sources, null)) as source
      where ${isLive}
      group by source
      order by source is not null, "notSeen" desc, source
      limit ${SOURCES_MAX + 1}`.execute(this.db);
    const [all, ...sources] = rows;
    return {
      notSeenDays,
      assets: all?.assets ?? 0,
      notSeen: all?.notSeen ?? 0,
      sources: sources.map(({ source, ...counts }) => ({ source: source!, ...counts })),
    };
  }
}
