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
 * Decides which addresses may be connected to (D27): those of the public internet, and those that the setting
 * `egressAllow` names. It answers addresses, and connections are made to them and not to the name, so that the name
 * cannot come to lead elsewhere in between.
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
   * @throws EgressError `address` where the name leads nowhere, `refused` where none of its addresses is allowed
   */
  async addressesOf(host: string): Promise<LookupAddress[]> {
    const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await this.lookUp(host);
    const allowed = this.allowsName(host) ? found : found.filter(({ address }) => this.mayReach(address));
    if (allowed.length > 0) return allowed;
    const { address } = found[0]!;
    const what =
      address === host ? `${host} is no public address` : `${host} leads to ${address}, which is not public`;
    throw new EgressError('refused', `${what}: an admin can allow it in the setting egressAllow`);
  }

  private mayReach(text: string): boolean {
    const address = readAddress(text);
    return isPublic(address) || namesAddress(this.allow(), address);
  }

  private async lookUp(host: string): Promise<LookupAddress[]> {
    const found = await this.lookup(host).catch((error: NodeJS.ErrnoException) => {
      if (!error.code) throw error;
      throw new EgressError('address', `the name ${host} does not lead to an address (${error.code})`);
    });
    if (found.length === 0) throw new EgressError('address', `the name ${host} does not lead to an address`);
    return found;
  }
}
