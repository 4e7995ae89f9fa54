import ipaddr from 'ipaddr.js';
import type { EntityType } from '../events.ts';
import { isSealedHostName, SEALED_END } from './sealed-names.ts';

const HOST_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
/** Four numbers with one too large, or a part of an address: numbers between dots never name a host. */
const ENDS_IN_NUMBER = /\.\d+$/;

/** A name in the sender's form, trimmed and without trailing dots; empty if nothing is left (R-ENT-2). */
export function displayName(name: string): string {
  let end = name.length;
  while (end > 0 && /[\s.]/u.test(name[end - 1]!)) end--;
  return name.slice(0, end).trimStart();
}

/** Spares most names the parser, which is slow if it refuses. */
const LIKE_IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

const canonicalName = (name: string): string => displayName(name).toLowerCase();

/**
 * An IP address in canonical form, IPv4-mapped IPv6 as IPv4; null for anything else. IPv4 only as four decimal
 * numbers: octal, hexadecimal and short forms mean different addresses to different readers.
 */
export function canonicalAddress(text: string): string | null {
  if (LIKE_IPV4.test(text)) return ipaddr.IPv4.isValidFourPartDecimal(text) ? text : null;
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text.toLowerCase()).toString();
}

const isHostName = (canonical: string): boolean =>
  HOST_NAME.test(canonical) ? !ENDS_IN_NUMBER.test(canonical) : isSealedHostName(canonical);

/**
 * Key of an entity in the log (R-ENT-3). A machine named by an address
 * keys on the address, by a host name on its first label, by anything else (URL, ARN, CIDR) on the whole name.
 */
export function entityKey(type: EntityType, name: string): string {
  const canonical = canonicalName(name);
  if (type === 'user') return `user:${canonical}`;
  const address = canonicalAddress(canonical);
  if (address !== null) return `machine:${address}`;
  return `machine:${isHostName(canonical) ? firstLabel(canonical) : canonical}`;
}

/** The host name in an FQDN; a bare host name is its own. Of a sealed one, sealed. */
export function firstLabel(name: string): string {
  const dot = name.indexOf('.');
  if (dot < 0) return name;
  return isSealedHostName(name) ? name.slice(0, dot) + SEALED_END : name.slice(0, dot);
}

/** A host name of one or several labels; an address, a URL or a user's name is not one. */
export const isMachineName = (name: string): boolean => isHostName(canonicalName(name));

/** A host name of several labels. */
export function isFqdn(name: string): boolean {
  const canonical = canonicalName(name);
  return canonical.includes('.') && isHostName(canonical);
}
