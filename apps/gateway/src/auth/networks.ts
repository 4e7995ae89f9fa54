import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** Whether a text is an address, or a network such as 10.0.0.0/8; IPv4 addresses need four numbers. */
export function isNetwork(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  if (!text.includes(':')) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
  }
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv6.isValidCIDR(text)) return false;
  // Addresses are compared in the form of IPv4, so such a network would contain none.
  return !ipaddr.IPv6.parse(text.split('/')[0]!).isIPv4MappedAddress();
}

/** Whether an address is in one of the networks; IPv4 addresses in the form of IPv6 count as IPv4. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => contains(network, parsed));
}

function contains(network: string, address: Address): boolean {
  const [base, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : wholeOf(ipaddr.parse(network));
  return address.kind() === base.kind() && address.match(base, bits);
}

const wholeOf = (address: Address): [Address, number] => [address, address.kind() === 'ipv4' ? 32 : 128];

/** Whether a token with these networks may be used from an address; without any from each. */
export const isAllowedFrom = (address: string, networks: readonly string[]): boolean =>
  networks.length === 0 || isWithin(address, networks);
