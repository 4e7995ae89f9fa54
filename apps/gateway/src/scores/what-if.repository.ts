import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EMPTY_SCORE_SUMS, type ScoreSums, subtractScoreSums } from '#libs/scores';
import { belongsToVisible, isVisibleAsset, type RowLimits, seesAllRows } from '#libs/tables';
import { SUM_COLUMNS, SUMS_OF_ASSETS, SUMS_OF_SUMS, type SumColumns, scoreSums } from './sum-columns.ts';

const UNKNOWN_NAMED_MAX = 10;

@Injectable()
export class WhatIfRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** @throws NotFoundException if no visible finding has one of the ids */
  async assertKnown(findingIds: string[], limits: RowLimits): Promise<void> {
    if (findingIds.length === 0) return;
    const isFound = sql.join([sql<SqlBool>`f.id = given.id`, ...belongsToVisible(limits, 'f')], sql` and `);
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${[...new Set(findingIds)]}::uuid[]) as given (id)
      where not exists (select from findings f where ${isFound})`.execute(this.db);
    if (rows.length === 0) return;
    const named = rows.slice(0, UNKNOWN_NAMED_MAX).map(({ id }) => id);
    const more = rows.length > UNKNOWN_NAMED_MAX ? `, and ${rows.length - UNKNOWN_NAMED_MAX} more` : '';
    throw new NotFoundException(`no finding has the id ${named.join(', ')}${more}`);
  }

  /** Numbers of the live, visible assets that have one of the findings, or a Failed one with one of the CVEs. */
  async assetsOf(findingIds: string[], cves: string[], limits: RowLimits): Promise<number[]> {
    const { rows } = await sql<{ assetNos: number[] }>`
      select coalesce(array_agg(asset_no::float8), '{}') as "assetNos" from (
        select f.partition, f.asset_no from findings f where f.id = any(${findingIds}::uuid[])
        union
        select f.partition, f.asset_no from findings f
        where f.state = 'Failed' and (f.cves <> '{}' or f.techniques <> '{}')
          and indexed_ids(f.cves || f.techniques) && ${cves}::text[] and f.cves && ${cves}::text[]
      ) touched join assets a using (partition, asset_no)
      where ${sql.join([sql<SqlBool>`a.deleted_at is null`, ...isVisibleAsset(limits, 'a')], sql` and `)}`.execute(
      this.db,
    );
    return rows[0]!.assetNos;
  }

  /** The last score of all visible assets without these ones. */
  async allWithout(assetNos: number[], limits: RowLimits): Promise<ScoreSums> {
    return seesAllRows(limits) ? this.organizationWithout(assetNos) : this.visibleWithout(assetNos, limits);
  }

  /** Hidden assets are in the sums of the organization: those of visible ones are added up. */
  private async visibleWithout(assetNos: number[], limits: RowLimits): Promise<ScoreSums> {
    const conditions = [
      sql<SqlBool>`h.valid_to = 'infinity' and a.deleted_at is null`,
      sql<SqlBool>`h.asset_no <> all(${assetNos}::bigint[])`,
      ...isVisibleAsset(limits, 'a'),
    ];
    const { rows } = await sql<SumColumns>`
      select ${SUM_COLUMNS} from (
        select ${SUMS_OF_ASSETS} from score_history h join assets a using (partition, asset_no)
        where ${sql.join(conditions, sql` and `)}
      ) sums`.execute(this.db);
    return scoreSums(rows[0]!);
  }

  private async organizationWithout(assetNos: number[]): Promise<ScoreSums> {
    const { rows } = await sql<SumColumns & { isWhole: boolean }>`
      select "isWhole", ${SUM_COLUMNS} from (
        select true as "isWhole", ${SUMS_OF_SUMS} from score_sums where kind = 'organization'
        union all
        select false, ${SUMS_OF_ASSETS} from score_history
        where asset_no = any(${assetNos}::bigint[]) and valid_to = 'infinity'
      ) sums`.execute(this.db);
    const sumsOf = (wanted: boolean) => {
      const row = rows.find(({ isWhole }) => isWhole === wanted);
      return row ? scoreSums(row) : EMPTY_SCORE_SUMS;
    };
    return subtractScoreSums(sumsOf(true), sumsOf(false));
  }
}
