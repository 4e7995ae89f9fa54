import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { READ_DATABASE, type Schema } from '#libs/database';
import { type AssetGroup, isInGroup, type ScoreSums, waitingAssets } from '#libs/scores';
import { isVisibleAsset, type RowLimits } from '#libs/tables';
import { heldAt } from './score-groups.ts';
import { SUM_COLUMNS, SUMS_OF_ASSETS, type SumColumns, scoreSums } from './sum-columns.ts';

/** Live assets, by whether some of their findings can be fixed. */
export interface FixableAssets {
  /** Numbers of the assets that have a score above 0 or wait to be scored. */
  assetNos: number[];
  /** The sum of the others. */
  others: ScoreSums;
}

/** Of the rows `live`. */
const FIXABLE = sql`
  select (select coalesce(array_agg("assetNo"::float8), '{}') from live where "isFixable") as "assetNos",
         ${SUM_COLUMNS}
  from (select ${SUMS_OF_ASSETS} from live where not "isFixable") others`;

const fixableOf = ({ assetNos, ...others }: Pick<FixableAssets, 'assetNos'> & SumColumns): FixableAssets => ({
  assetNos,
  others: scoreSums(others),
});

@Injectable()
export class FixesRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /** Of a group, or of the organization without one, as far as it is visible, at present: `now` in epoch milliseconds. */
  async fixable(group: AssetGroup | null, limits: RowLimits, now: number): Promise<FixableAssets> {
    const conditions = [
      sql<SqlBool>`a.deleted_at is null`,
      ...(group ? [isInGroup('a', group)] : []),
      ...isVisibleAsset(limits, 'a'),
    ];
    const { rows } = await sql<Pick<FixableAssets, 'assetNos'> & SumColumns>`
      with live as materialized (
        select a.asset_no as "assetNo", h.*,
               h.asset_no is null or w.asset_no is not null or coalesce(h.score > 0, false) as "isFixable"
        from assets a left join score_history h
          on h.asset_no = a.asset_no and h.partition = a.partition and h.valid_to = 'infinity'
        left join (${waitingAssets(now)}) w on w.asset_no = a.asset_no and w.partition = a.partition
        where ${sql.join(conditions, sql` and `)}
      )
      ${FIXABLE}`.execute(this.db);
    return fixableOf(rows[0]!);
  }

  /**
   * Of the organization as it was at an instant, in epoch milliseconds. Assets that wait to be scored may not have existed
   * then, or have been deleted.
   */
  async fixableAt(at: number): Promise<FixableAssets> {
    const { rows } = await sql<Pick<FixableAssets, 'assetNos'> & SumColumns>`
      with live as materialized (
        select coalesce(h.asset_no, w.asset_no) as "assetNo", h.*,
               w.asset_no is not null or coalesce(h.score > 0, false) as "isFixable"
        from (select * from score_history where ${heldAt(at)}) h
        full join (${waitingAssets(at)}) w on w.asset_no = h.asset_no and w.partition = h.partition
      )
      ${FIXABLE}`.execute(this.db);
    return fixableOf(rows[0]!);
  }

  /** The number of a live asset that is visible; undefined if there is none. */
  async assetNo(id: string, limits: RowLimits): Promise<number | undefined> {
    const row = await this.db
      .selectFrom('assets')
      .select('asset_no')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(({ and }) => and(isVisibleAsset(limits, 'assets')))
      .executeTakeFirst();
    return row?.asset_no;
  }
}
