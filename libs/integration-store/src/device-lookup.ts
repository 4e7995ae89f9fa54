import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { entityKey, statedDevice } from '#libs/domain';
import type { DeviceLookup } from '#libs/integrations';
import { ERASED, type EventSealer, usable } from '#libs/sealing';

interface DescribedAsset {
  deviceId: string;
  name: string;
  fqdn: string | null;
}

/**
 * The name by which a signal means a live asset, given its opened texts; null: it is erased, also if only its key was
 * destroyed after a restore, so that a signal is about a new subject. The FQDN first: if FQDNs distinguish assets, the
 * name may belong to several. Unless it names another entity: it may be of another source.
 */
export function nameForSignals({ name, fqdn }: { name: string; fqdn: string | null }): string | null {
  if (name === ERASED) return null;
  const isOwn = fqdn !== null && entityKey('machine', fqdn) === entityKey('machine', name);
  return isOwn ? fqdn : name;
}

/** By `nameForSignals`. */
export const deviceLookup =
  (db: Kysely<Schema>, sealer: EventSealer): DeviceLookup =>
  async (source, deviceIds) => {
    const ids = [...new Set(deviceIds)];
    const devices = ids.map((id) => statedDevice(source, id));
    const { rows } = await sql<DescribedAsset>`
      select asked.id as "deviceId", state ->> 'name' as name, state ->> 'fqdn' as fqdn
      from unnest(${ids}::text[], ${devices}::text[]) as asked (id, device)
      join assets on stated_devices <> '{}' and stated_devices @> array[device]
      where deleted_at is null and state ->> 'erasedAt' is null`.execute(db);
    const names = new Map<string, string | null>();
    for (const { deviceId, ...asset } of await usable(rows, (some) => sealer.open(some))) {
      const name = nameForSignals(asset);
      if (name !== null) names.set(deviceId, names.has(deviceId) ? null : name);
    }
    return new Map([...names].flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
  };
