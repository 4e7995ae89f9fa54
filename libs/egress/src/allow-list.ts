import ipaddr from 'ipaddr.js';
import { type Address, readAddress } from './is-public.ts';

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** Whether the setting `egressAllow` names the host as it is written in the URL. */
export const namesHost = (allow: readonly string[], host: string): boolean =>
  allow.some((entry) => plain(entry) === plain(host));

/** Whether the setting `egressAllow` names the address, or a network that contains it. */
export const namesAddress = (allow: readonly string[], address: Address): boolean =>
  allow.some((entry) => {
    const [network, bits] = networkOf(entry) ?? [];
    return network?.kind() === address.kind() && address.match(network as never, bits);
  });

/** Null for a host name. */
function networkOf(entry: string): [Address, number] | null {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  if (!ipaddr.isValid(entry)) return null;
  const address = readAddress(entry);
  return [address, address.toByteArray().length * 8];
}
