/** NetBIOS names have no more characters: longer host names are cut to it. */
const NETBIOS_CHARS_MAX = 15;

/** A NetBIOS name that is short enough not to be cut; null for others, which several hosts may share. */
export const wholeNetbiosName = (name: string | null): string | null =>
  name !== null && name.length < NETBIOS_CHARS_MAX ? name : null;
