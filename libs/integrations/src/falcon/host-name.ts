import { displayName, isFqdn, isLoopbackName, isMachineName } from '#libs/domain';
import { type Json, textOf } from '../json-values.ts';

const NAME_CHARS_MAX = 1024;

/**
 * The name of a host or of the device in an alert: host name and Active Directory domain as an FQDN if the domain
 * is configured; a host name with a dot is one already (R-EDR-3). Null if it
 * has no host name, or one that every machine has.
 */
export function hostName(device: Json): string | null {
  const hostname = displayName(textOf(device.hostname, NAME_CHARS_MAX));
  const domain = displayName(textOf(device.machine_domain, NAME_CHARS_MAX)).replace(/^\.+/, '');
  if (hostname === '' || isLoopbackName(hostname)) return null;
  if (domain === '' || !isMachineName(hostname) || isFqdn(hostname)) return hostname;
  const fqdn = `${hostname}.${domain}`;
  return isFqdn(fqdn) && fqdn.length <= NAME_CHARS_MAX ? fqdn : hostname;
}
