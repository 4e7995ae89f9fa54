import type { AssetRules } from '../events.ts';
import { isFqdn } from '../signal/entity-key.ts';
import type { AssetState, EntityState } from '../state.ts';

const sameName = (a: string | null, b: string) => a !== null && a.toLowerCase() === b.toLowerCase();

const isCalled = ({ asset }: AssetState, name: string) =>
  sameName(asset.fqdn, name) || asset.aliases.some((alias) => sameName(alias, name));

/**
 * The asset of an entity that a name means, deleted ones included (D15: it keeps its id), or null where the name
 * stands for a new one. By default an entity is one asset; `fqdn` keeps different FQDNs apart (D2).
 */
export function matchAsset(
  { assets }: EntityState,
  name: string,
  matching: AssetRules['matching'],
): AssetState | null {
  const called = assets.find((state) => isCalled(state, name));
  if (matching === 'name') return called ?? assets[0] ?? null;
  if (isFqdn(name)) return called ?? soleBareName(assets);
  // A bare name joins the only asset that it can mean, otherwise it stands alone.
  return assets.length === 1 ? assets[0]! : (assets.find(({ asset }) => sameName(asset.name, name)) ?? null);
}

const soleBareName = (assets: AssetState[]) =>
  assets.length === 1 && assets[0]!.asset.fqdn === null ? assets[0]! : null;
