import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { Asset } from '#libs/domain';
import { assetStateAt } from '#libs/tables';
import { isInGroup, wasInGroup } from './asset-group.ts';
import type { SubjectScope } from './asset-pages.ts';
import type { ReadingInstant } from './reading-instant.ts';

export interface AssetAt {
  assetNo: number;
  asset: Asset;
}

/** The assets among `assetNos` that existed, were not deleted and belonged to the group at the instant, by number. */
export async function readAssets(
  db: Kysely<Schema>,
  assetNos: readonly number[],
  { group }: Pick<SubjectScope, 'group'>,
  { at, isPast }: ReadingInstant,
): Promise<AssetAt[]> {
  const { rows } = isPast
    ? await sql<AssetAt>`
        select a.asset_no as "assetNo", h.state as asset
        from assets a cross join lateral ${assetStateAt(at)} h
        where a.asset_no = any(${assetNos}::bigint[]) and h.state ->> 'deletedAt' is null
          and ${group ? wasInGroup(group) : sql<SqlBool>`true`}
        order by a.asset_no`.execute(db)
    : await sql<AssetAt>`
        select a.asset_no as "assetNo", a.state as asset from assets a
        where a.asset_no = any(${assetNos}::bigint[]) and a.deleted_at is null
          and ${group ? isInGroup('a', group) : sql<SqlBool>`true`}
        order by a.asset_no`.execute(db);
  return rows;
}
