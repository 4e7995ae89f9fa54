import ipaddr from 'ipaddr.js';
import type { EntityType } from '../events.ts';

const HOST_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** Trimmed, lower-case, without a trailing dot (D1). */
const canonicalName = (name: string): string => name.trim().toLowerCase().replace(/\.$/, '');

function canonicalAddress(name: string): string | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(name)) return ipaddr.IPv4.parse(name).toString();
  return ipaddr.IPv6.isValid(name) ? ipaddr.process(name).toString() : null;
}

/** Key of an entity in the log: everything about one entity is totally ordered (D1). */
export function entityKey(type: EntityType, name: string): string {
  const canonical = canonicalName(name);
  if (type === 'user') return `user:${canonical}`;
  return `machine:${canonicalAddress(canonical) ?? (HOST_NAME.test(canonical) ? firstLabel(canonical) : canonical)}`;
}

/** The host name in an FQDN. */
export const firstLabel = (name: string): string => name.slice(0, (name.indexOf('.') + 1 || name.length + 1) - 1);

/** A host name of several labels; an address, a URL or a user's name is none. */
export function isFqdn(name: string): boolean {
  const canonical = canonicalName(name);
  return canonical.includes('.') && HOST_NAME.test(canonical) && canonicalAddress(canonical) === null;
}
