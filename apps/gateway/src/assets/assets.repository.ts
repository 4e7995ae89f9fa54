import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, READ_DATABASE, type Schema } from '#libs/database';
import type { Asset } from '#libs/domain';
import { assetsUpToPageBytes, isVisibleAsset, type RowLimits } from '#libs/tables';
import type { FindingCounts } from '#libs/views';
import { fallenDue } from '../findings/finding-conditions.ts';
import { behindCursor, type ListOrder, orderBy, sortKeyText } from '../paging/sort.ts';
import { type AssetConditions, assetConditions } from './asset-conditions.ts';
import type { AssetRow, ListedAssetRow } from './asset-row.ts';
import { ASSET_SORTS } from './asset-sorts.ts';
import { listByScore } from './assets-by-score.ts';
import { countColumns } from './count-columns.ts';

@Injectable()
export class AssetsRepository {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(READ_DATABASE) private readonly reads: Kysely<Schema>,
  ) {}

  /** Live ones after the cursor of `order`, in its order: as many as `assetsUpToPageBytes` leaves. */
  async list(conditions: AssetConditions, order: ListOrder, limit: number): Promise<ListedAssetRow[]> {
    const { key, after, isDescending } = order;
    if (key === ASSET_SORTS.score) {
      const place = after && { rank: Number(after.key), assetNo: after.numbers[0]! };
      return listByScore(this.reads, conditions, { after: place, isDescending }, limit, (page) =>
        assetsUpToPageBytes(sql`${LISTED}, r.score, ${sortKeyText(order)} as "sortKey" ${page}`),
      );
    }
    const { rows } = await assetsUpToPageBytes<ListedAssetRow>(sql`
      ${LISTED}, ${SCORE} as score, ${sortKeyText(order)} as "sortKey"
      from assets a join asset_seen s using (partition, asset_no)
      where ${sql.join([...assetConditions(conditions), ...behindCursor(order)], sql` and `)}
      ${orderBy(order)} limit ${limit}`).execute(this.reads);
    return rows;
  }

  /** A deleted one too, if it is one of `rows`. */
  async find(id: string, rows: RowLimits): Promise<AssetRow | undefined> {
    const conditions = [sql<SqlBool>`a.id = ${id}`, ...isVisibleAsset(rows, 'a')];
    const row = await this.rows().where(sql.join<SqlBool>(conditions, sql` and `)).executeTakeFirst();
    return row && assetRow(row);
  }

  /** Live assets that have a value of a custom field. */
  async countWithCustomField(name: string): Promise<number> {
    const { count } = await this.db
      .selectFrom('assets')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`custom_fields ? ${name} and jsonb_array_length(custom_fields -> ${name}) > 0`)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Of their active findings, with expiry evaluated at `now`, in epoch milliseconds (R-EXP-6). */
  async counts(assetNos: number[], now: number): Promise<Map<number, FindingCounts>> {
    const { rows } = await sql<FindingCounts & { assetNo: number }>`
      with fallen_due as materialized ${fallenDue(now)}
      select f.asset_no as "assetNo",
             ${countColumns(sql`f.state`, sql`f.body`)}
      from findings f
      where f.asset_no = any(${assetNos}::bigint[]) and f.state <> 'Retired'
        and (f.asset_no, f.finding_no) not in (select asset_no, finding_no from fallen_due)
      group by f.asset_no`.execute(this.reads);
    return new Map(rows.map(({ assetNo, ...counts }) => [assetNo, counts]));
  }

  private rows() {
    return this.db
      .selectFrom('assets as a')
      .innerJoin('asset_seen as s', (join) =>
        join.onRef('s.asset_no', '=', 'a.asset_no').onRef('s.partition', '=', 'a.partition'),
      )
      .select(['a.asset_no', 'a.state', 's.last_seen', SCORE.as('score')]);
  }
}

const LISTED = sql`select a.asset_no as "assetNo", a.state as asset, s.last_seen as "lastSeen"`;

/** A look-up for each returned asset, for any index that the list is read by. */
const SCORE = sql<
  number | null
>`(select r.score from asset_scores r where r.asset_no = a.asset_no and r.partition = a.partition)`;

interface StoredAsset {
  asset_no: number;
  state: unknown;
  last_seen: number;
  score: number | null;
}

const assetRow = ({ asset_no, state, last_seen, score }: StoredAsset): AssetRow => ({
  assetNo: asset_no,
  asset: state as Asset,
  lastSeen: last_seen,
  score,
});
