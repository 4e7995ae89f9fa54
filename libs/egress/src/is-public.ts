import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All that is global in IPv6 (RFC 4291); other ranges have special uses, such as `::127.0.0.1`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Behind it is the whole of IPv4 (NAT64, RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const NAT64_BYTES = 12;
/** Public by its number, and yet the host that a virtual machine in Azure runs on; other clouds use reserved ones. */
const AZURE_HOST = ipaddr.IPv4.parse('168.63.129.16');

/**
 * The address that is reached in the end: of an IPv4 address in an IPv6 form (mapped, or by NAT64) that one.
 * @throws Error if the text is no address
 */
export function readAddress(text: string): Address {
  // ipaddr.js takes `::8.8.8.8` for the mapped address; the system does not.
  const address = ipaddr.process(text.replace(/^::(?=\d+\.)/, '::0:'));
  if (address.kind() === 'ipv4' || !address.match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(NAT64_BYTES));
}

/** Whether the address is one of the public internet (IANA's special-purpose registries, RFC 6890, by ipaddr.js). */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? !address.match(AZURE_HOST, 32) : address.match(GLOBAL_IPV6);
}
