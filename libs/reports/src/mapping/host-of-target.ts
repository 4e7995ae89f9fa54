import { canonicalAddress, isMachineName } from '#libs/domain';
import { lookup } from './lookup.ts';

/** The target of a network scanner. */
export interface TargetHost {
  /** Host name or address. */
  name: string;
  address: string | null;
  port: number | null;
}

const DEFAULT_PORTS: Record<string, number> = { http: 80, https: 443, ws: 80, wss: 443, ftp: 21, ssh: 22 };

/**
 * The host of a URL, of `host:port`, of `host/path` or of an address, bracketed IPv6 too; null if there is none.
 * The port is the written one, or that of the URL's scheme.
 */
export function hostOfTarget(target: string | null): TargetHost | null {
  const text = target?.trim() ?? '';
  if (canonicalAddress(text) !== null) return hostAt(text, null);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  const authority = text
    .slice(scheme?.[0].length ?? 0)
    .split(/[/?#]/, 1)[0]!
    .replace(/^.*@/, '');
  const [, bracketed, bare, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const name = bracketed ?? bare;
  if (name === undefined) return null;
  const meant = scheme ? (lookup(DEFAULT_PORTS, scheme[1]!.toLowerCase()) ?? null) : null;
  return hostAt(name, port === undefined ? meant : Number(port));
}

function hostAt(name: string, port: number | null): TargetHost | null {
  const address = canonicalAddress(name.toLowerCase());
  if (address === null && !isMachineName(name)) return null;
  return { name, address, port: port !== null && port > 0 && port < 65_536 ? port : null };
}
