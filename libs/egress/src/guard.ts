import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { isIP } from 'node:net';
import { namesAddress, namesHost } from './allow-list.ts';
import { EgressError } from './egress.ts';
import { isPublic, readAddress } from './is-public.ts';

/** All addresses of a name. */
export type Lookup = (host: string) => Promise<LookupAddress[]>;

export const systemLookup: Lookup = (host) => lookUp(host, { all: true });

/**
 * Decides which addresses may be connected to (R-NET-1): addresses of the public internet and of the setting
 * `egressAllow`. It returns addresses, and connections use them rather than the name: the name could resolve to other
 * addresses in between.
 */
export class Guard {
  constructor(
    private readonly allow: () => readonly string[],
    private readonly lookup: Lookup,
  ) {}

  /** Whether the setting names the host itself, so that it may be wherever its name leads. */
  allowsName(host: string): boolean {
    return namesHost(this.allow(), host);
  }

  /**
   * The addresses of the host that may be connected to, one at least.
   * @throws EgressError `address` if the name cannot be resolved, `refused` if none of its addresses is allowed
   */
  async addressesOf(host: string): Promise<LookupAddress[]> {
    const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await this.lookUp(host);
    const allowed = this.allowsName(host) ? found : found.filter(({ address }) => this.mayReach(address));
    if (allowed.length > 0) return allowed;
    const { address } = found[0]!;
    const what =
      address === host
        ? `${host} is not a public address`
        : `${host} resolves to ${address}, which is not a public address`;
    throw new EgressError('refused', `${what}: an admin can allow it in the setting egressAllow`);
  }

  private mayReach(text: string): boolean {
    const address = readAddress(text);
    return isPublic(address) || namesAddress(this.allow(), address);
  }

  private async lookUp(host: string): Promise<LookupAddress[]> {
    const found = await this.lookup(host).catch((error: NodeJS.ErrnoException) => {
      if (!error.code) throw error;
      throw new EgressError('address', `the name ${host} cannot be resolved (${error.code})`);
    });
    if (found.length === 0) throw new EgressError('address', `the name ${host} cannot be resolved`);
    return found;
  }
}
