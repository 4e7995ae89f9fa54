import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Asset, entityKey } from '#libs/domain';
import { type EventSealer, subjectOfKey } from '#libs/sealing';

/** An asset under its entity key in the log. */
export interface KeyedAsset {
  entityKey: string;
  asset: Asset;
}

/** An asset as sources name it. */
export interface NamedAsset {
  key: string;
  asset: Asset;
}

/** The assets with these numbers, in their order. */
export async function statesOf(db: Kysely<Schema>, assetNos: readonly number[]): Promise<KeyedAsset[]> {
  if (assetNos.length === 0) return [];
  const { rows } = await sql<KeyedAsset>`
    select entity_key as "entityKey", state as asset from assets
    where asset_no = any(${assetNos}::bigint[]) order by asset_no`.execute(db);
  return rows;
}

/**
 * The assets as sources name them, in the same order: those of sealed machines with opened texts and the key of their
 * name.
 * @throws KeysUnavailableError, SubjectKeyError
 */
export async function openedAssets(rows: readonly KeyedAsset[], sealer: EventSealer): Promise<NamedAsset[]> {
  const sealed = rows.flatMap((row) => (subjectOfKey(row.entityKey) === undefined ? [] : row.asset));
  const opened = sealed.length === 0 ? [] : await sealer.open(sealed);
  const byId = new Map(opened.map((asset) => [asset.id, asset]));
  return rows.map((row) => {
    const asset = byId.get(row.asset.id);
    return asset
      ? { key: entityKey(asset.entityType, asset.name), asset }
      : { key: row.entityKey, asset: row.asset };
  });
}
