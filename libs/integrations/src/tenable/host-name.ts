import {
  bareNetbiosName,
  canonicalAddress,
  displayName,
  isFqdn,
  isLoopbackName,
  isMachineName,
  wholeNetbiosName,
} from '#libs/domain';

/** How the platform names an asset; each list may be empty. */
export interface AssetNames {
  fqdns: readonly string[];
  hostnames: readonly string[];
  /** Possibly with their domain: `HALDEN\WEB01`. */
  netbiosNames: readonly string[];
  agentNames: readonly string[];
  addresses: readonly string[];
  id: string;
}

const NAME_CHARS_MAX = 1024;

/**
 * An FQDN, otherwise a host name; the one that another name of the asset confirms first, then by the alphabet, because the
 * order of the lists differs between exports. An asset without a name is called by its address, as in reports of the
 * scanner, otherwise by its id: a NetBIOS name that may be cut can be that of several hosts. Null if it has none of them.
 */
export function assetName(asset: AssetNames): string | null {
  const { fqdns, hostnames, agentNames, addresses, id } = asset;
  const netbiosNames = namesIn(asset.netbiosNames.map(bareNetbiosName));
  const names = [...namesIn([...fqdns, ...hostnames, ...agentNames]), ...netbiosNames.filter(isWhole)];
  const confirmations = new Map<string, number>();
  for (const label of [...names, ...netbiosNames.filter((name) => !isWhole(name))].map(firstLabelOf))
    confirmations.set(label, (confirmations.get(label) ?? 0) + 1);
  const rankOf = (name: string): Rank => [
    isFqdn(name) ? 0 : 1,
    -confirmations.get(firstLabelOf(name))!,
    name.toLowerCase(),
  ];
  let best: { name: string; rank: Rank } | null = null;
  for (const name of names) {
    const rank = rankOf(name);
    if (best === null || isBefore(rank, best.rank)) best = { name, rank };
  }
  const [address] = addresses
    .flatMap((text) => canonicalAddress(text.trim()) ?? [])
    .filter((text) => !isLoopbackName(text))
    .sort();
  return best?.name ?? address ?? (displayName(id) || null);
}

/** Whether it is no FQDN, the negative number of names that confirm it, and its text: the least is the best. */
type Rank = readonly [number, number, string];

function isBefore(a: Rank, b: Rank): boolean {
  const place = a.findIndex((part, i) => part !== b[i]);
  return place >= 0 && a[place]! < b[place]!;
}

const isWhole = (netbiosName: string): boolean => wholeNetbiosName(netbiosName) !== null;

const namesIn = (texts: readonly string[]): string[] => texts.map(displayName).filter(isName);

const isName = (name: string) =>
  name !== '' &&
  name.length <= NAME_CHARS_MAX &&
  isMachineName(name) &&
  canonicalAddress(name) === null &&
  !isLoopbackName(name);

const firstLabelOf = (name: string) => name.toLowerCase().split('.', 1)[0]!;
