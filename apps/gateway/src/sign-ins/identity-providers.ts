import { Inject, Injectable, NotFoundException, type OnModuleDestroy } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { CLOCK, type Clock, type Config, type OidcProvider, readOidcProviders } from '#libs/config';
import type { Schema } from '#libs/database';
import { type Egress, hostOf, openEgress } from '#libs/egress';
import type { SettingsSource } from '../organization/settings-source.ts';
import { CONFIG, EGRESS, SETTINGS } from '../tokens.ts';
import { ClientSecrets } from './client-secrets.ts';
import { egressFetch } from './egress-fetch.ts';
import { PROVIDER_ID } from './identity-provider.dto.ts';
import { IdentityProvidersRepository, type ProviderRow } from './identity-providers.repository.ts';
import { OidcClient } from './oidc-client.ts';

/** How old the known providers of the table may be: every gateway uses a change within that time. */
const KNOWN_MS_MAX = 500;

/** A provider as provisioning sees it. */
export type ProvisionedProvider = Omit<OidcProvider, 'label' | 'issuer' | 'clientSecret'>;

type Clients = ReadonlyMap<string, OidcClient>;

/**
 * The identity providers that people can sign in with, by their ids: those of the settings of the deployment, and those
 * that admins have added. An id of the settings takes precedence.
 */
@Injectable()
export class IdentityProviders implements OnModuleDestroy {
  /** Of the settings of the deployment. */
  readonly configured: Clients;
  /** Null: `PUBLIC_URL` is not set, and no provider could return a user. */
  readonly origin: string | null;
  private readonly configuredEgress: Egress;
  private readonly fetch: ReturnType<typeof egressFetch>;
  private read: { clients: Promise<Clients>; until: number } | undefined;
  /** What the latest read has made; a client is kept as long as its row, with what it has discovered. */
  private made: Clients = new Map();
  private readonly generations = new WeakMap<OidcClient, number>();

  constructor(
    private readonly stored: IdentityProvidersRepository,
    private readonly secrets: ClientSecrets,
    @Inject(EGRESS) egress: Egress,
    @Inject(CONFIG) config: Config,
    @Inject(SETTINGS) settings: SettingsSource,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    const providers = readOidcProviders(config.oidcProviders);
    // The operator names them, so they may be at private addresses. Admins need the setting `egressAllow` for that.
    const hosts = providers.map(({ issuer }) => hostOf(new URL(issuer)));
    this.configuredEgress = openEgress({
      ...(config.egressProxy !== undefined && { proxy: config.egressProxy }),
      allow: () => [...hosts, ...settings().egressAllow],
    });
    this.origin = config.publicUrl ?? null;
    const fetch = egressFetch(this.configuredEgress);
    this.configured = new Map(providers.map((one) => [one.id, this.clientOf(one, fetch)]));
    this.fetch = egressFetch(egress);
  }

  onModuleDestroy(): Promise<void> {
    return this.configuredEgress.close();
  }

  /** The clients of all providers. */
  async all(): Promise<OidcClient[]> {
    const stored = [...(await this.storedClients())].filter(([id]) => !this.configured.has(id));
    return [...this.configured.values(), ...stored.map(([, client]) => client)];
  }

  async find(id: string): Promise<OidcClient | null> {
    return this.configured.get(id) ?? (await this.storedClients()).get(id) ?? null;
  }

  /**
   * What the groups of a provider give, also while nobody can sign in with it because its secret is missing: provisioning
   * needs none.
   */
  async provisioned(id: string): Promise<ProvisionedProvider | null> {
    return this.provisionedIn(id, (one) => this.stored.find(one));
  }

  /** As `provisioned`, in a transaction that a change of the provider waits for. */
  async provisionedShared(id: string, trx: Transaction<Schema>): Promise<ProvisionedProvider | null> {
    return this.provisionedIn(id, (one) => new IdentityProvidersRepository(trx).findShared(one));
  }

  /** @throws NotFoundException */
  async get(id: string): Promise<OidcClient> {
    const client = await this.find(id);
    if (client) return client;
    throw new NotFoundException('no identity provider has this id: choose one of GET /api/v3/sign-in');
  }

  /** Whether a client is that of the present settings of its provider. Call it after a session was stored. */
  async isCurrent(client: OidcClient): Promise<boolean> {
    const read = this.readOf(client);
    return read === null || this.stored.isCurrent(read);
  }

  /**
   * Writes what the settings of a client give, in a transaction that a change of them waits for. Null if they have changed:
   * then nothing is written.
   */
  whileCurrent<T>(client: OidcClient, work: (trx: Transaction<Schema>) => Promise<T>): Promise<T | null> {
    return this.stored.whileCurrent(this.readOf(client), work);
  }

  /** Asks a provider that is about to be added. @throws OidcFailure if it is not good */
  async probe(provider: OidcProvider): Promise<void> {
    await this.clientOf(provider, this.fetch).discover();
  }

  /** A provider of the table; null if nobody can sign in with it, because its secret is missing or does not open. */
  providerOf({ id, label, issuer, settings, clientSecret: sealed }: ProviderRow): OidcProvider | null {
    const clientSecret = sealed === null ? null : this.secrets.open(sealed, id);
    return clientSecret === null ? null : { ...settings, id, label, issuer, clientSecret };
  }

  /** The next caller reads the table. */
  forget(): void {
    this.read = undefined;
  }

  private async provisionedIn(
    id: string,
    find: (id: string) => Promise<ProviderRow | undefined>,
  ): Promise<ProvisionedProvider | null> {
    const configured = this.configured.get(id);
    if (configured) return configured.provider;
    // Other texts are no ids, and PostgreSQL takes not all of them.
    if (this.origin === null || !PROVIDER_ID.test(id)) return null;
    const row = await find(id);
    return row ? { ...row.settings, id } : null;
  }

  /** Null for a provider of the settings of the deployment. */
  private readOf(client: OidcClient): Pick<ProviderRow, 'id' | 'generation'> | null {
    const generation = this.generations.get(client);
    return generation === undefined ? null : { id: client.provider.id, generation };
  }

  private storedClients(): Promise<Clients> {
    if (this.origin === null) return Promise.resolve(this.made);
    if (this.read && this.read.until > performance.now()) return this.read.clients;
    const read = { clients: this.readClients(), until: performance.now() + KNOWN_MS_MAX };
    this.read = read;
    read.clients.catch(() => {
      if (this.read === read) this.forget();
    });
    return read.clients;
  }

  private async readClients(): Promise<Clients> {
    const clients = (await this.stored.list()).map((row) => [row.id, this.madeOf(row)] as const);
    this.made = new Map(clients.flatMap(([id, client]) => (client === null ? [] : [[id, client]])));
    return this.made;
  }

  private madeOf(row: ProviderRow): OidcClient | null {
    const made = this.made.get(row.id);
    if (made && this.generations.get(made) === row.generation) return made;
    const provider = this.providerOf(row);
    if (provider === null) return null;
    const client = this.clientOf(provider, this.fetch);
    this.generations.set(client, row.generation);
    return client;
  }

  private clientOf(provider: OidcProvider, fetch: ReturnType<typeof egressFetch>): OidcClient {
    return new OidcClient(provider, this.origin ?? '', fetch, this.now);
  }
}
