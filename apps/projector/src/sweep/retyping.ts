import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Asset, type AssetTyping, type Settings, typingByOs, USER_TYPING } from '#libs/domain';

/** An asset that the mapping types otherwise than it is typed. */
interface MistypedAsset {
  entityKey: string;
  assetId: string;
  typing: AssetTyping;
}

/** Assets of a partition after a number, up to the last one that was checked. */
export interface RetypingStep {
  mistyped: MistypedAsset[];
  /** Null at the end of the partition. */
  lastAssetNo: number | null;
}

/** How far the assets of a partition were typed by a mapping; 0: none of them. */
export async function retypedTo(
  db: Kysely<Schema>,
  partition: number,
  mappingVersion: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('retypings')
    .select(['mapping_version', 'after_asset_no'])
    .where('partition', '=', partition)
    .executeTakeFirst();
  if (!row || row.mapping_version < mappingVersion) return 0;
  return row.after_asset_no === ALL ? null : row.after_asset_no;
}

/** Stands for the end of the partition. */
const ALL = Number.MAX_SAFE_INTEGER;

export async function noteRetyped(
  db: Kysely<Schema>,
  partition: number,
  mappingVersion: number,
  lastAssetNo: number | null,
): Promise<void> {
  const row = { mapping_version: mappingVersion, after_asset_no: lastAssetNo ?? ALL };
  await db
    .insertInto('retypings')
    .values({ partition, ...row })
    .onConflict((conflict) => conflict.column('partition').doUpdateSet(row))
    .execute();
}

/**
 * Checks the next live assets with an operating system, and returns those with another type by the mapping. An asset
 * without an operating system, or with one that the mapping does not know, keeps its type until its next signal.
 */
export async function nextMistyped(
  db: Kysely<Schema>,
  partition: number,
  { osMapping }: Settings,
  after: number,
  limit: number,
): Promise<RetypingStep> {
  const { rows } = await sql<{ asset_no: number; entity_key: string; asset: Asset }>`
    select asset_no, entity_key, state as asset from assets
    where partition = ${partition} and asset_no > ${after} and deleted_at is null
    order by asset_no limit ${limit}`.execute(db);
  const mistyped = rows.flatMap(({ entity_key: entityKey, asset }) => {
    const typing = asset.os === null || isUser(asset) ? null : typingByOs(asset.os, osMapping);
    return typing === null || isSame(typing, asset.typing) ? [] : [{ entityKey, assetId: asset.id, typing }];
  });
  return { mistyped, lastAssetNo: rows.length < limit ? null : rows.at(-1)!.asset_no };
}

const isUser = ({ typing }: Asset) => typing?.type === USER_TYPING.type;

const isSame = (a: AssetTyping, b: AssetTyping | null) =>
  b !== null &&
  a.type === b.type &&
  a.attackSurface === b.attackSurface &&
  a.supports.join() === b.supports.join();
