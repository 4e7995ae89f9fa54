import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Asset, entityKey } from '#libs/domain';
import type { AssetLookup, MatchedAsset } from '#libs/integrations';
import { assetFacts } from '#libs/views';

/** Which names mean one live asset: its name, its FQDN, or its host name if no other asset has the same (R-INV-4). */
export const assetLookup =
  (db: Kysely<Schema>): AssetLookup =>
  async (names) => {
    const { rows } = await sql<{ asset: Asset }>`
      select state as asset from assets
      where deleted_at is null and entity_key = any(${[...new Set(names.map(keyOf))]}::text[])`.execute(db);
    const known = new Map<string, MatchedAsset | null>();
    for (const { asset } of rows) {
      const { id, fqdn, attackSurface } = assetFacts(asset);
      const called = [asset.name, fqdn, asset.hostname].flatMap((name) => name?.toLowerCase() ?? []);
      for (const name of new Set(called)) {
        known.set(name, known.has(name) ? null : { id, fqdn, attackSurface });
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
