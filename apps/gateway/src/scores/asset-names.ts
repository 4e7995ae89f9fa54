import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { assetStateAt } from '#libs/tables';

/**
 * With the name that the asset had which each is about, a deleted one's too; null if it is about none.
 * @param at epoch milliseconds
 */
export async function withAssetNames<Item extends { assetId: string | null }>(
  db: Kysely<Schema>,
  items: readonly Item[],
  at: number,
): Promise<(Item & { assetName: string | null })[]> {
  const ids = [...new Set(items.flatMap(({ assetId }) => assetId ?? []))];
  const { rows } = await sql<{ id: string; name: string }>`
    select a.id, coalesce(h.state ->> 'name', a.name) as name
    from assets a left join lateral ${assetStateAt(at)} h on true
    where a.id = any(${ids}::uuid[])`.execute(db);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return items.map((item) => ({ ...item, assetName: names.get(item.assetId ?? '') ?? null }));
}
