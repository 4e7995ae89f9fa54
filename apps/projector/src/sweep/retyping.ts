import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import {
  type Asset,
  type AssetRetyped,
  type AssetTyping,
  type OsMapping,
  typedSystems,
  typingByOs,
} from '#libs/domain';
import { assetsUpToPageBytes, isPageFull } from '#libs/tables';

/** The event about an operating system of an asset that the mapping types otherwise. */
interface RetypingTick {
  entityKey: string;
  payload: AssetRetyped & { os: string; from: AssetTyping | null };
}

/** A live asset as it is stored. */
interface StoredAsset {
  entityKey: string;
  asset: Asset;
}

/** Live assets of a partition, in the order of a number; few if they are large. */
interface AssetPage {
  assets: StoredAsset[];
  /** Where the next page begins. */
  after: number;
  isLast: boolean;
}

/**
 * Up to which sequence of the history of a partition the mapping has typed returned assets; null: it has not typed all
 * assets yet. The column has it as a number below 0: others are the progress that earlier versions stored.
 */
export async function returnsCheckedTo(
  db: Kysely<Schema>,
  partition: number,
  mappingVersion: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('retypings')
    .select(['mapping_version', 'after_asset_no'])
    .where('partition', '=', partition)
    .executeTakeFirst();
  if (!row || row.mapping_version < mappingVersion || row.after_asset_no >= 0) return null;
  return -row.after_asset_no - 1;
}

export async function noteReturnsChecked(
  db: Kysely<Schema>,
  partition: number,
  mappingVersion: number,
  sequence: number,
): Promise<void> {
  const row = { mapping_version: mappingVersion, after_asset_no: -sequence - 1 };
  await db
    .insertInto('retypings')
    .values({ partition, ...row })
    .onConflict((conflict) => conflict.column('partition').doUpdateSet(row))
    .execute();
}

/** The last sequence in the history of the assets of a partition. */
export async function assetSequence(db: Kysely<Schema>, partition: number): Promise<number> {
  const row = await db
    .selectFrom('projection_positions')
    .select('asset_sequence')
    .where('partition', '=', partition)
    .executeTakeFirst();
  return row?.asset_sequence ?? 0;
}

/** The next live assets, by number. */
export async function nextAssets(
  db: Kysely<Schema>,
  partition: number,
  after: number,
  limit: number,
): Promise<AssetPage> {
  const { rows } = await assetsUpToPageBytes<StoredAsset & { assetNo: number }>(sql`
    select asset_no as "assetNo", entity_key as "entityKey", state as asset from assets
    where partition = ${partition} and asset_no > ${after} and deleted_at is null
    order by asset_no limit ${limit}`).execute(db);
  return { assets: rows, after: rows.at(-1)?.assetNo ?? after, isLast: !isPageFull(rows, limit) };
}

/** The next assets that have returned and are live, by the sequence of their return. */
export async function nextReturned(
  db: Kysely<Schema>,
  partition: number,
  after: number,
  limit: number,
): Promise<AssetPage> {
  const end = await assetSequence(db, partition);
  const { rows } = await assetsUpToPageBytes<StoredAsset & { sequence: number }>(sql`
    select h.sequence, a.entity_key as "entityKey", a.state as asset
    from asset_history h join assets a using (partition, asset_no)
    where h.partition = ${partition} and h.sequence > ${after} and h.sequence <= ${end} and h.change = 'returned'
      and a.deleted_at is null
    order by h.sequence limit ${limit}`).execute(db);
  const isLast = !isPageFull(rows, limit);
  return { assets: rows, after: isLast ? Math.max(after, end) : rows.at(-1)!.sequence, isLast };
}

/**
 * Of assets, and of what their sources said, the operating systems with another type by the mapping than by an earlier one.
 * Other types stay until the next signal: without an operating system, of one that the mapping does not know, and what a
 * source gave explicitly.
 */
export async function retypingsOf(
  db: Kysely<Schema>,
  assets: StoredAsset[],
  mapping: OsMapping,
): Promise<RetypingTick[]> {
  const others = assets.flatMap(({ entityKey, asset }) =>
    otherwiseTyped(asset, mapping).map((payload) => ({ entityKey, payload })),
  );
  if (others.length === 0) return [];
  const earlier = await earlierMappings(db);
  return others.filter(({ payload: { os, from } }) =>
    earlier.some((each) => isSame(typingByOs(os, each), from)),
  );
}

const otherwiseTyped = (asset: Asset, mapping: OsMapping): RetypingTick['payload'][] =>
  typedSystems(asset).flatMap(({ os, from }) => {
    const typing = typingByOs(os, mapping);
    if (typing === null || isSame(typing, from)) return [];
    return [{ type: 'AssetRetyped', assetId: asset.id, typing, os, from }];
  });

const EARLIER_MAX = 100;

/** Of all edits: the sweep may not have seen each, and deleted assets keep their types. */
async function earlierMappings(db: Kysely<Schema>): Promise<OsMapping[]> {
  const { rows } = await sql<{ before: OsMapping }>`
    select detail -> 'before' as before from acts
    where target = 'settings' and action = 'osMapping.replaced' and refused is null
    order by at desc limit ${EARLIER_MAX}`.execute(db);
  return rows.map(({ before }) => before);
}

const isSame = (a: AssetTyping | null, b: AssetTyping | null) =>
  a === null || b === null
    ? a === b
    : a.type === b.type && a.attackSurface === b.attackSurface && a.supports.join() === b.supports.join();
