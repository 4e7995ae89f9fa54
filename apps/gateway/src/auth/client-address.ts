import ipaddr from 'ipaddr.js';

const GROUPS_OF_A_CLIENT = 4;
const GROUPS_OF_A_SITE = 3;

/** An address of IPv4; of IPv6 its /64, as the owner of one address has all of them. */
export const clientOf = (address: string): string => prefixOf(address, GROUPS_OF_A_CLIENT) ?? plain(address);

/** The /48 of an address of IPv6, which has 65,536 clients and one subscriber; null for IPv4. */
export const siteOf = (address: string): string | null => prefixOf(address, GROUPS_OF_A_SITE);

function prefixOf(address: string, groups: number): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, groups).join(':') : null;
}

/** The canonical form of an address; other text is unchanged. */
const plain = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
