import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, lockByName, type Schema } from '#libs/database';
import { notificationAddressPlace, notificationSettingsPlace, Vault, VaultError } from '#libs/vault';
import { SECRET_KEYS } from '../tokens.ts';
import type { GivenMailServer } from '../webhooks/given-mail-server.ts';
import type { NotificationChannel } from './notification.ts';

/** The mail server of the site, and whom it may write to. */
export interface NotificationMail extends GivenMailServer {
  from: string;
  /** Domains of the addresses of people. */
  domains: string[];
}

/** How the service sends to people. */
export interface SiteChannels {
  /** Null: no e-mail. */
  email: NotificationMail | null;
  /** Hosts of addresses of Slack, with their subdomains; empty: no messages there. */
  slackHosts: string[];
  teamsHosts: string[];
}

export interface StoredChannels extends SiteChannels {
  /** The site is from a backup: nothing is sent. */
  isRestored: boolean;
}

/** What is sealed does not open. */
export class NotificationSecretError extends Error {
  override name = 'NotificationSecretError';

  constructor(what: string, remedy: string) {
    super(
      `${what} is encrypted with a different secret key: set POSTURE_PREVIOUS_SECRET_KEY to that key, or ${remedy}`,
    );
  }
}

const NONE: StoredChannels = { email: null, slackHosts: [], teamsHosts: [], isRestored: false };

/** Settings of the site and addresses of people, which are encrypted. A transaction of Kysely will do for a database. */
@Injectable()
export class SealedSettings {
  private readonly vault: Vault;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(SECRET_KEYS) keys: Buffer[],
  ) {
    this.vault = new Vault(keys);
  }

  /** @throws NotificationSecretError */
  async read(): Promise<StoredChannels> {
    const row = await this.db
      .selectFrom('notification_settings')
      .select(['content', 'is_restored as isRestored'])
      .executeTakeFirst();
    if (!row) return NONE;
    const text = this.open(row.content, notificationSettingsPlace(), 'the mail server', 'enter it again');
    return { ...(JSON.parse(text) as SiteChannels), isRestored: row.isRestored };
  }

  /** @param trx in which it is saved @param at epoch ms */
  async save(channels: SiteChannels, at: number, trx: Kysely<Schema>): Promise<void> {
    const columns = {
      content: this.vault.seal(JSON.stringify(channels), notificationSettingsPlace()),
      ...{ is_restored: false, updated_at: new Date(at) },
    };
    await trx
      .insertInto('notification_settings')
      .values(columns)
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet(columns))
      .execute();
  }

  /** Others who save settings wait until the end of the transaction. */
  async lock(trx: Kysely<Schema>): Promise<void> {
    await lockByName(trx, 'notification settings');
  }

  sealAddress(personId: string, address: string): string {
    return this.vault.seal(address, notificationAddressPlace(personId));
  }

  /** @throws NotificationSecretError */
  openAddress(personId: string, content: string): string {
    return this.open(content, notificationAddressPlace(personId), 'the address', 'enter it again');
  }

  private open(text: string, place: Parameters<Vault['open']>[1], what: string, remedy: string): string {
    try {
      return this.vault.open(text, place);
    } catch (error) {
      throw error instanceof VaultError ? new NotificationSecretError(what, remedy) : error;
    }
  }
}

/** Channels that people can choose. */
export const offeredChannels = ({ email, slackHosts, teamsHosts }: SiteChannels): NotificationChannel[] => [
  ...(email ? (['email'] as const) : []),
  ...(slackHosts.length > 0 ? (['slack'] as const) : []),
  ...(teamsHosts.length > 0 ? (['teams'] as const) : []),
];

/** Why messages may not be sent to an address, as what it must be; null: they may. */
export function addressProblem(
  { email, slackHosts, teamsHosts }: SiteChannels,
  channel: NotificationChannel,
  address: string,
): string | null {
  if (channel === 'email') {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
    if (email?.domains.includes(domain)) return null;
    return `an e-mail address at ${(email?.domains ?? []).join(' or ') || 'a domain that an admin permits'}`;
  }
  const hosts = channel === 'slack' ? slackHosts : teamsHosts;
  if (URL.canParse(address)) {
    const { protocol, hostname, username, password, hash } = new URL(address);
    const isPlain = username === '' && password === '' && hash === '';
    const isPermitted = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    if (/^https?:$/.test(protocol) && isPlain && isPermitted) return null;
  }
  return `the address of an incoming webhook at ${hosts.join(' or ') || 'a host that an admin permits'}`;
}
