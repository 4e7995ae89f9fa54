import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Asset, posture2 } from '#libs/domain';
import { assetStateAt, assetsUpToPageBytes, isPageFull } from '#libs/tables';
import { isInGroup, wasInGroup } from './asset-group.ts';
import type { SubjectScope } from './asset-pages.ts';
import type { ReadingInstant } from './reading-instant.ts';

/** An asset as the model sees it. */
export interface AssetAt {
  assetNo: number;
  asset: posture2.ThreatenedAsset & Pick<Asset, 'name'>;
}

/**
 * The assets among `assetNos` that existed, were not deleted and belonged to the group at the instant, by number. Whole
 * assets are in memory a page at a time.
 */
export async function readAssets(
  db: Kysely<Schema>,
  assetNos: readonly number[],
  { group }: Pick<SubjectScope, 'group'>,
  { at, isPast }: ReadingInstant,
): Promise<AssetAt[]> {
  const assets: AssetAt[] = [];
  for (let after = -1; ; ) {
    const isNext = sql<SqlBool>`a.asset_no = any(${assetNos}::bigint[]) and a.asset_no > ${after}`;
    const page = isPast
      ? sql`
        select a.asset_no as "assetNo", h.state as asset
        from assets a cross join lateral ${assetStateAt(at)} h
        where ${isNext} and h.state ->> 'deletedAt' is null
          and ${group ? wasInGroup(group) : sql<SqlBool>`true`}
        order by a.asset_no`
      : sql`
        select a.asset_no as "assetNo", a.state as asset from assets a
        where ${isNext} and a.deleted_at is null
          and ${group ? isInGroup('a', group) : sql<SqlBool>`true`}
        order by a.asset_no`;
    const { rows } = await assetsUpToPageBytes<{ assetNo: number; asset: Asset }>(page).execute(db);
    assets.push(
      ...rows.map(({ assetNo, asset }) => ({
        assetNo,
        asset: { ...posture2.threatenedAssetOf(asset), name: asset.name },
      })),
    );
    if (!isPageFull(rows)) return assets;
    after = rows.at(-1)!.assetNo;
  }
}
