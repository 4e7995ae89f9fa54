import { displayName, isFqdn, type Settings } from '#libs/domain';
import type { FoundAsset } from '../format.ts';

/** How the service matches machines of one host name (R-ASSET-2). */
export type AssetMatching = Settings['assetMatching'];

/** The FQDN that a name is, as names are compared; empty for any other. */
export const fqdnOf = (name: string): string => (isFqdn(name) ? displayName(name).toLowerCase() : '');

/**
 * The assets of one entity key, with all that the reports say of each: one for each FQDN if they are kept apart,
 * else one. A bare name is that of the only FQDN, and with several it is separate.
 */
export class EntityAssets {
  readonly all: FoundAsset[];
  /** Several FQDNs are taken for one asset. */
  readonly joinsFqdns: boolean;
  private readonly byFqdn: Map<string, FoundAsset>;

  constructor(descriptions: FoundAsset[], matching: AssetMatching) {
    const told = new Map<string, FoundAsset[]>();
    for (const description of descriptions) {
      const fqdn = fqdnOf(description.name);
      told.set(fqdn, told.get(fqdn) ?? []);
      told.get(fqdn)!.push(description);
    }
    const hasSeveral = [...told.keys()].filter((fqdn) => fqdn !== '').length > 1;
    this.joinsFqdns = hasSeveral && matching === 'name';
    const only = hasSeveral && matching === 'fqdn' ? null : mergedAsset(descriptions);
    this.byFqdn = new Map([...told].map(([fqdn, own]) => [fqdn, only ?? mergedAsset(own)]));
    this.all = [...new Set(this.byFqdn.values())];
  }

  /** @param name one of the descriptions' */
  called(name: string): FoundAsset {
    return this.byFqdn.get(fqdnOf(name))!;
  }
}

const VALUES_MAX = 100;

/** The last value wins, lists are joined. A name with a domain wins over a bare one (R-ASSET-6). */
function mergedAsset(descriptions: FoundAsset[]): FoundAsset {
  const merged: FoundAsset = {
    name: descriptions[0]?.name ?? '',
    ipAddresses: [],
    macAddresses: [],
    tags: {},
  };
  for (const { name, ipAddresses = [], macAddresses = [], hostname, fqdn, os, tags = {} } of descriptions) {
    if (!merged.name.includes('.') && name.includes('.')) merged.name = name;
    merged.ipAddresses = joined(merged.ipAddresses, ipAddresses);
    merged.macAddresses = joined(merged.macAddresses, macAddresses);
    merged.hostname = hostname ?? merged.hostname;
    merged.fqdn = fqdn ?? merged.fqdn;
    merged.os = os ?? merged.os;
    for (const [key, values] of Object.entries(tags)) merged.tags![key] = joined(merged.tags![key], values);
  }
  return merged;
}

const joined = (known: string[] = [], more: string[] = []): string[] =>
  [...new Set([...known, ...more])].slice(0, VALUES_MAX);
