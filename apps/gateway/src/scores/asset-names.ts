import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';

/** With the name of the asset that each is about, a deleted one's too; null if it is about none. */
export async function withAssetNames<Item extends { assetId: string | null }>(
  db: Kysely<Schema>,
  items: readonly Item[],
): Promise<(Item & { assetName: string | null })[]> {
  const ids = [...new Set(items.flatMap(({ assetId }) => assetId ?? []))];
  const rows =
    ids.length === 0
      ? []
      : await db.selectFrom('assets').select(['id', 'name']).where('id', 'in', ids).execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return items.map((item) => ({ ...item, assetName: names.get(item.assetId ?? '') ?? null }));
}
