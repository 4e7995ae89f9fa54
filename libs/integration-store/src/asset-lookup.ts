import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Asset, entityKey } from '#libs/domain';
import type { AssetLookup, MatchedAsset } from '#libs/integrations';
import { assetFacts } from '#libs/views';

/** Which names mean a live asset: its name, its FQDN, or the host name of it (D31). */
export const assetLookup =
  (db: Kysely<Schema>): AssetLookup =>
  async (names) => {
    const { rows } = await sql<{ asset: Asset }>`
      select state as asset from assets
      where deleted_at is null and entity_key = any(${[...new Set(names.map(keyOf))]}::text[])
      order by asset_no`.execute(db);
    const known = new Map<string, MatchedAsset>();
    for (const { asset } of rows) {
      const { attackSurface } = assetFacts(asset);
      for (const name of [asset.name, asset.fqdn, asset.hostname]) {
        if (name !== null && !known.has(name.toLowerCase())) known.set(name.toLowerCase(), { attackSurface });
      }
    }
    return new Map(
      names.flatMap((name) => {
        const found = known.get(name.toLowerCase());
        return found ? [[name, found] as const] : [];
      }),
    );
  };

const keyOf = (name: string) => entityKey('machine', name);
