/**
 * How sealed texts of machines state what the fold and the scores read from a name or an address (ADR-0112). The rest of a
 * sealed text cannot be read. The marks are noncharacters, which the edge replaces in received texts.
 */
export const SEALED_BEGIN = '\ufdd0';
export const SEALED_END = '\ufdd1';

/** Begins a sealed host name: the first label and, of an FQDN, a dot and the domain, each encrypted. */
export const SEALED_HOST_NAME = `${SEALED_BEGIN}h`;
/** Begins a sealed address that can be reached from the internet. */
export const SEALED_PUBLIC_ADDRESS = `${SEALED_BEGIN}p`;

export const isSealedHostName = (text: string): boolean => text.startsWith(SEALED_HOST_NAME);
