import { bareNetbiosName, isFqdn, isLoopbackName, wholeNetbiosName } from '#libs/domain';
import type { FoundAsset } from '../format.ts';
import { hostOfTarget } from '../mapping/host-of-target.ts';
import { identifyingName } from '../mapping/identifying-name.ts';
import { firstOf } from '../reading/json-fields.ts';

/** How a report of Nessus or Tenable calls a host. */
export interface TenableNames {
  /** What was scanned: a host name, an address, or the URL of a web application scan. */
  scanned: string;
  fqdn: string | null;
  address: string | null;
  /** Possibly with its domain: `HALDEN\WEB01`. */
  netbios: string | null;
}

export type TenableHost = Pick<FoundAsset, 'name' | 'ipAddresses' | 'fqdn' | 'hostname'>;

/** @returns an empty name if the report names none; a web application scan has its URL in place of the FQDN */
export function tenableHost({ scanned, fqdn: declared, address, netbios: full }: TenableNames): TenableHost {
  const name = declared?.split(/[\s,]/, 1)[0] ?? null;
  const target = hostOfTarget(scanned);
  const host = target?.name ?? scanned;
  const stated = firstOf(hostOfTarget(name)?.name, name);
  const fqdn = [stated, isFqdn(host) ? host : null].find((each) => each && !isLoopbackName(each)) ?? null;
  const netbios = full && bareNetbiosName(full);
  const addresses = [address, target?.address ?? null].filter((each) => each !== null);
  return {
    name: identifyingName(fqdn, wholeNetbiosName(netbios), host, addresses, netbios, stated) ?? '',
    ipAddresses: [...new Set(addresses)],
    fqdn,
    hostname: netbios,
  };
}

/** The only item of a host that did not answer is that of the ping, if the policy has such hosts in the report. */
export const isUnreachable = (pluginId: string | null, output: string | null): boolean =>
  pluginId === '10180' && output?.includes('considered as dead') === true;

export const UNREACHABLE = 'the host did not answer: it was not scanned';
