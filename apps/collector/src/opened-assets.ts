import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Asset, entityKey } from '#libs/domain';
import { type EventSealer, subjectOfKey, usable } from '#libs/sealing';
import { assetsUpToPageBytes, isPageFull } from '#libs/tables';

/** An asset under its entity key in the log. */
export interface KeyedAsset {
  assetNo: number;
  entityKey: string;
  asset: Asset;
  /** Its entity has no other live asset. */
  isSole: boolean;
}

/** An asset as sources name it. */
export interface NamedAsset {
  key: string;
  asset: Asset;
  /** As it is stored. */
  stored: KeyedAsset;
}

/** The assets with these numbers, in their order, in pages of limited size: at least one, also an empty one. */
export async function* statesOf(
  db: Kysely<Schema>,
  assetNos: readonly number[],
): AsyncGenerator<KeyedAsset[]> {
  for (let after = -1; ; ) {
    const { rows } = await assetsUpToPageBytes<KeyedAsset>(sql`
      select asset_no as "assetNo", entity_key as "entityKey", state as asset,
             not exists (select from assets other
                         where other.entity_key = assets.entity_key and other.asset_no <> assets.asset_no
                           and other.deleted_at is null) as "isSole"
      from assets where asset_no = any(${assetNos}::bigint[]) and asset_no > ${after} order by asset_no`).execute(
      db,
    );
    yield rows;
    if (!isPageFull(rows)) return;
    after = rows.at(-1)!.assetNo;
  }
}

/** Whether an asset without an FQDN may get any of its entity key: a bare name among several assets does not (R-ASSET-2). */
export const mayGetFqdn = ({ asset, stored }: NamedAsset): boolean => asset.fqdn === null && stored.isSole;

/**
 * The assets as sources name them, in the same order: those of sealed machines with opened texts and the key of their
 * name. Machines whose key is damaged are left out.
 * @throws KeysUnavailableError, SubjectKeyError
 */
export async function openedAssets(rows: readonly KeyedAsset[], sealer: EventSealer): Promise<NamedAsset[]> {
  const sealed = rows.flatMap((row) => (subjectOfKey(row.entityKey) === undefined ? [] : row.asset));
  const opened = sealed.length === 0 ? [] : await usable(sealed, (some) => sealer.open(some));
  const byId = new Map(opened.map((asset) => [asset.id, asset]));
  return rows.flatMap((stored) => {
    if (subjectOfKey(stored.entityKey) === undefined) {
      return [{ key: stored.entityKey, asset: stored.asset, stored }];
    }
    const asset = byId.get(stored.asset.id);
    return asset ? [{ key: entityKey(asset.entityType, asset.name), asset, stored }] : [];
  });
}
