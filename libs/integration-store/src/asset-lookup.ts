import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Asset, entityKey } from '#libs/domain';
import type { AssetLookup, MatchedAsset } from '#libs/integrations';
import { type EventSealer, subjectOfKey, usable } from '#libs/sealing';
import { assetFacts } from '#libs/views';

/** Which names mean one live asset: its name, its FQDN, or its host name if no other asset has the same (R-INV-4). */
export const assetLookup =
  (db: Kysely<Schema>, sealer: EventSealer): AssetLookup =>
  async (names) => {
    const keys = await usable([...new Set(names.map(keyOf))], (some) => sealer.knownKeys(some));
    const { rows } = await sql<{ key: string; asset: Asset }>`
      select entity_key as key, state as asset from assets
      where deleted_at is null and entity_key = any(${keys}::text[])`.execute(db);
    const known = new Map<string, MatchedAsset | null>();
    const isSealed = ({ key }: { key: string }) => subjectOfKey(key) !== undefined;
    const opened = rows.some(isSealed) ? await usable(rows, (some) => sealer.open(some)) : rows;
    for (const { asset } of opened) {
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
