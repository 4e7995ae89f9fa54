import { canonicalAddress, type RawInterface } from '#libs/domain';

/** Interfaces of a signal from addresses of both kinds; invalid addresses are omitted. */
export function addressFields(texts: readonly string[]): RawInterface[] {
  const addresses = [...new Set(texts.flatMap((text) => canonicalAddress(text) ?? []))];
  return addresses.map((address) =>
    address.includes(':') ? { name: 'Ip', ipv6: address } : { name: 'Ip', ipv4: address },
  );
}

const MAC_CHARS_MAX = 100;

/** A network interface with the MAC addresses; none if there is none. */
export function macFields(texts: readonly string[]): RawInterface[] {
  const macAddress = texts.filter((text) => text.length <= MAC_CHARS_MAX);
  return macAddress.length > 0 ? [{ macAddress }] : [];
}
