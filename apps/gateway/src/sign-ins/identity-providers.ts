import { Inject, Injectable, NotFoundException, type OnModuleDestroy } from '@nestjs/common';
import { CLOCK, type Clock, type Config, readOidcProviders } from '#libs/config';
import { type Egress, openEgress } from '#libs/egress';
import type { SettingsSource } from '../organization/settings-source.ts';
import { CONFIG, SETTINGS } from '../tokens.ts';
import { egressFetch } from './egress-fetch.ts';
import { OidcClient } from './oidc-client.ts';

/** The identity providers of the configuration, by their ids. */
@Injectable()
export class IdentityProviders implements OnModuleDestroy {
  private readonly clients: Map<string, OidcClient>;
  private readonly egress: Egress;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(SETTINGS) settings: SettingsSource,
    @Inject(CLOCK) now: Clock,
  ) {
    const providers = readOidcProviders(config.oidcProviders);
    // The operator names them, so they may be at private addresses.
    const hosts = providers.map(({ issuer }) => new URL(issuer).hostname);
    this.egress = openEgress({
      ...(config.egressProxy !== undefined && { proxy: config.egressProxy }),
      allow: () => [...hosts, ...settings().egressAllow],
    });
    const origin = config.publicUrl?.replace(/\/$/, '') ?? '';
    const fetch = egressFetch(this.egress);
    this.clients = new Map(providers.map((one) => [one.id, new OidcClient(one, origin, fetch, now)]));
  }

  onModuleDestroy(): Promise<void> {
    return this.egress.close();
  }

  get all(): OidcClient[] {
    return [...this.clients.values()];
  }

  find(id: string): OidcClient | null {
    return this.clients.get(id) ?? null;
  }

  /** @throws NotFoundException */
  get(id: string): OidcClient {
    const client = this.find(id);
    if (client) return client;
    throw new NotFoundException('no identity provider has this id: choose one of GET /api/v3/sign-in');
  }
}
