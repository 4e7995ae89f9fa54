/** NetBIOS names have no more characters: longer host names are cut to it. */
const NETBIOS_CHARS_MAX = 15;

/** The host in a NetBIOS name that may have its domain: `HALDEN\WEB01`. */
export const bareNetbiosName = (name: string): string => name.slice(name.lastIndexOf('\\') + 1);

/** A bare NetBIOS name that is short enough not to be cut; null for others, which several hosts may share. */
export const wholeNetbiosName = (name: string | null): string | null =>
  name !== null && name.length < NETBIOS_CHARS_MAX ? name : null;
