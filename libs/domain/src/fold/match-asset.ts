import type { AssetRules, Envelope } from '../events.ts';
import { isFqdn } from '../signal/entity-key.ts';
import { furtherAssetId, NAMES_APART } from '../signal/event-ids.ts';
import type { AssetState, EntityState } from '../state.ts';

/** Under which rules an event was written (R-FOLD-2). */
type Rules = Envelope['rules'];

/** The first rules under which live assets go before deleted ones (ADR-0161). */
const LIVE_FIRST = 11;

export const isLive = ({ asset }: AssetState): boolean => asset.deletedAt === null;

/** The assets of an entity that a name may mean: the live ones, unless all are deleted (they keep their ids). */
export function possibleAssets({ assets }: EntityState, rules: Rules): AssetState[] {
  const live = rules < LIVE_FIRST ? [] : assets.filter(isLive);
  return live.length > 0 ? live : assets;
}

const sameName = (a: string | null, b: string) => a !== null && a.toLowerCase() === b.toLowerCase();

const isCalled = ({ asset }: AssetState, name: string) =>
  sameName(asset.fqdn, name) || asset.aliases.some((alias) => sameName(alias, name));

/**
 * The asset of an entity that a name means, also a deleted one, or null if the name means a new one. By default an entity
 * is one asset; `fqdn` keeps different FQDNs apart (R-ASSET-2).
 */
export function matchAsset(
  entity: EntityState,
  name: string,
  matching: AssetRules['matching'],
  rules: Rules,
): AssetState | null {
  const possible = possibleAssets(entity, rules);
  const calledSo = (state: AssetState) => isCalled(state, name);
  const called = possible.find(calledSo) ?? (isFqdn(name) ? entity.assets.find(calledSo) : undefined);
  if (matching === 'name') return called ?? possible[0] ?? null;
  if (isFqdn(name)) return called ?? soleBareName(possible, rules);
  // A bare name joins the asset of exactly this name or the further one that it created, also a deleted one: it has meant
  // no other. Else it joins the only asset, or is a separate one, also if it created the first one: neither its id nor
  // its aliases show that.
  const named = entity.assets.find(({ asset }) => sameName(asset.name, name));
  const own = named ?? (rules < NAMES_APART ? null : createdBy(entity, name));
  return own ?? soleOf(possible);
}

export const soleOf = (assets: AssetState[]): AssetState | null => (assets.length === 1 ? assets[0]! : null);

/** A further asset with the id that an asset of this name would get: a bare name created it, and it has an FQDN since. */
export function createdBy({ key, assets }: EntityState, name: string): AssetState | null {
  if (assets.length < 2) return null;
  const ids = [NAMES_APART - 1, NAMES_APART].map((rules) => furtherAssetId(key, name, rules));
  return assets.find(({ asset }) => ids.includes(asset.id)) ?? null;
}

/** Under rules 1 an asset that another FQDN had only joined was a bare name still, and took every other one too. */
function soleBareName(assets: AssetState[], rules: Rules): AssetState | null {
  const only = soleOf(assets);
  if (!only) return null;
  const { fqdn, aliases } = only.asset;
  return fqdn === null && (rules === 1 || !aliases.some(isFqdn)) ? only : null;
}
