import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { Kysely, Transaction } from 'kysely';
import { CLOCK, type Clock, OidcProvider, oidcProviderProblems } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { type CredentialChanged, ORGANIZATION_KEY } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import type { LimitedCaller } from '../auth/caller.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { assertMayGrant } from '../auth/may-grant.ts';
import type { Scope } from '../auth/scopes.ts';
import { StaleException } from '../http/http-errors.ts';
import { assertSeenVersion } from '../http/seen-version.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { applyMapping } from '../users/user-rights.ts';
import { ClientSecrets } from './client-secrets.ts';
import {
  type AddIdentityProviderDto,
  type ChangeIdentityProviderDto,
  type IdentityProviderDto,
  type IdentityProvidersDto,
  PROVIDER_ID,
} from './identity-provider.dto.ts';
import { auditTextOf, identityProviderView } from './identity-provider-view.ts';
import { IdentityProvidersRepository, type ProviderRow } from './identity-providers.repository.ts';
import { IdentityProviders } from './identity-providers.ts';
import { OidcFailure } from './oidc-failure.ts';
import { rightsDigest } from './rights-digest.ts';
import { SessionChecks } from './session-checks.ts';
import { NO_RIGHTS } from './user-claims.ts';

const PROVIDERS_MAX = 20;
/** As `OIDC_PROVIDERS`. */
const SETTINGS_CHARACTERS_MAX = 65_536;
const NO_SECRET = 'its client secret is missing since a restore: enter it again';
const SEALED_WITH_ANOTHER_KEY =
  'its client secret was encrypted with another secret key: set POSTURE_PREVIOUS_SECRET_KEY to that key, or enter it again';
const NO_PUBLIC_URL = 'PUBLIC_URL is not set: identity providers send users back to it';

/**
 * Adds, changes and removes identity providers beside those of `OIDC_PROVIDERS`. The act is in the log before the
 * database commits it (R-AUTH-11). Nobody gives groups more scopes than their own.
 */
@Injectable()
export class IdentityProvidersService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly providers: IdentityProviders,
    private readonly stored: IdentityProvidersRepository,
    private readonly secrets: ClientSecrets,
    private readonly known: KnownCredentials,
    private readonly checks: SessionChecks,
    private readonly acts: ActsService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** Those of the settings first. */
  async list(): Promise<IdentityProvidersDto> {
    const configured = [...this.providers.configured.values()].map(({ provider }) =>
      identityProviderView(provider, {
        origin: this.providers.origin,
        isReadOnly: true,
        problem: null,
        version: 0,
      }),
    );
    return { items: [...configured, ...(await this.stored.list()).map((row) => this.viewOf(row))] };
  }

  /**
   * @throws BadRequestException if a field is not valid, or the provider does not answer as its issuer; ForbiddenException
   * if a group gets a scope that the caller lacks; ConflictException if id or label is taken, or `PUBLIC_URL` is not set
   */
  async add(
    given: AddIdentityProviderDto,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<IdentityProviderDto> {
    const provider = checked(given);
    this.assertGrants(provider.grants, own);
    await this.assertFree(this.stored, provider);
    if (this.providers.origin === null) throw new ConflictException(NO_PUBLIC_URL);
    await this.probe(provider);
    const { id, label, issuer, clientSecret, ...settings } = provider;
    const row = { id, label, issuer, settings, clientSecret: this.secrets.seal(clientSecret, id) };
    await this.act('identityProviderCreated', row, caller, async (stored, _sessions, trx) => {
      await this.assertFree(stored, provider);
      await stored.add(row, this.now());
      // Users of a removed provider of this id have the rights of its former mapping.
      await applyMapping(trx, provider, NO_RIGHTS);
    });
    return this.viewOf(await this.find(id));
  }

  /**
   * @throws as `add`; NotFoundException; ConflictException if it is of `OIDC_PROVIDERS`, or another user has changed it
   * since `version` or at the same time
   */
  async change(
    id: string,
    { version, clientSecret, ...given }: ChangeIdentityProviderDto,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<IdentityProviderDto> {
    const found = await this.find(id);
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length === 0 && clientSecret === undefined) {
      throw new BadRequestException('the body must contain a field to change');
    }
    assertSeenVersion('identity provider', found.generation, version);
    const { label, issuer, settings: before } = found;
    const provider = checked({
      ...before,
      id,
      label,
      issuer,
      clientSecret: clientSecret === undefined ? '-' : clientSecret,
      ...changes,
    });
    this.assertGrants(before.grants, own, false);
    this.assertGrants(provider.grants, own, given.grants !== undefined);
    const { id: _, label: newLabel, issuer: _i, clientSecret: _s, ...settings } = provider;
    const sealed = clientSecret === undefined ? found.clientSecret : this.secrets.seal(clientSecret, id);
    const row = { ...found, label: newLabel, settings, clientSecret: sealed };
    await this.act('identityProviderChanged', row, caller, async (stored, sessions, trx) => {
      if (newLabel !== label) await this.assertLabelFree(stored, id, newLabel);
      if (!(await stored.change(row, this.now()))) {
        throw new StaleException(
          'another user has changed the identity provider: read it again and repeat the request',
        );
      }
      if (rightsDigest({ ...before, issuer }) !== rightsDigest(provider)) {
        // Users first, as those who disable a user do.
        await applyMapping(trx, provider, NO_RIGHTS);
        await sessions.endOfProvider(id);
      }
    });
    await this.checks.checkSooner(provider);
    return this.viewOf(await this.find(id));
  }

  /** Ends all sessions that began with it. @throws NotFoundException; ConflictException if it is of `OIDC_PROVIDERS` */
  async remove(id: string, caller: LimitedCaller): Promise<IdentityProviderDto> {
    const row = await this.find(id);
    await this.act('identityProviderDeleted', row, caller, async (stored, sessions) => {
      if (!(await stored.remove(id, this.now()))) throw notFound(id);
      await sessions.endOfProvider(id);
    });
    return this.viewOf(row);
  }

  private async find(id: string): Promise<ProviderRow> {
    if (this.providers.configured.has(id)) {
      throw new ConflictException(
        `the identity provider ${id} belongs to the settings of the deployment (OIDC_PROVIDERS): change it there`,
      );
    }
    // Other texts are no ids, and PostgreSQL takes not all of them.
    const row = PROVIDER_ID.test(id) ? await this.stored.find(id) : undefined;
    if (!row) throw notFound(id);
    return row;
  }

  /** @param isNew whether the roles must exist: some may have been deleted since */
  private assertGrants(grants: Record<string, string[]>, own: ReadonlySet<Scope>, isNew = true): void {
    const given = Object.entries(grants).flatMap(([group, names]) => names.map((name) => ({ group, name })));
    const unknown = given.find(({ name }) => !this.known.isGrant(name));
    if (isNew && unknown) {
      throw new BadRequestException(
        `grants: no role or scope has the name ${unknown.name} (group ${unknown.group})`,
      );
    }
    assertMayGrant(this.known.scopesOfGrants(given.map(({ name }) => name)), own);
  }

  private async assertFree(
    stored: IdentityProvidersRepository,
    { id, label, issuer }: OidcProvider,
  ): Promise<void> {
    if (this.providers.configured.has(id) || (await stored.find(id))) {
      throw new ConflictException(`the id ${id} is already in use: choose another id`);
    }
    await this.assertLabelFree(stored, id, label);
    const former = await stored.issuerOfRemoved(id);
    if (former !== null && former !== issuer) {
      throw new ConflictException(
        `the id ${id} belongs to the users of the issuer ${former}: choose another id`,
      );
    }
    if (former === null && (await stored.hasUsers(id))) {
      throw new ConflictException(
        `the id ${id} belongs to the users of a provider that was in OIDC_PROVIDERS: choose another id, or let an operator set that provider there again`,
      );
    }
    if (this.providers.configured.size + (await stored.list()).length >= PROVIDERS_MAX) {
      throw new ConflictException(
        `the limit of ${PROVIDERS_MAX} identity providers is reached: remove one first`,
      );
    }
  }

  /** The database compares, because its index does: other rules for capital letters would let labels through to it. */
  private async assertLabelFree(
    stored: IdentityProvidersRepository,
    id: string,
    label: string,
  ): Promise<void> {
    const isConfigured = [...this.providers.configured.values()].some(
      ({ provider }) => provider.label.toLowerCase() === label.toLowerCase(),
    );
    if (!isConfigured && !(await stored.hasLabel(label, id))) return;
    throw new ConflictException(`the label ${label} is already in use: choose another label`);
  }

  private async probe(provider: OidcProvider): Promise<void> {
    try {
      await this.providers.probe(provider);
    } catch (error) {
      if (error instanceof OidcFailure) throw new BadRequestException(`issuer: ${error.message}`);
      throw error;
    }
  }

  private async act(
    act: CredentialChanged['act'],
    row: Pick<ProviderRow, 'id' | 'label' | 'issuer' | 'settings'>,
    caller: LimitedCaller,
    work: (
      stored: IdentityProvidersRepository,
      sessions: SessionsRepository,
      trx: Transaction<Schema>,
    ) => Promise<void>,
  ): Promise<void> {
    const { id } = row;
    const payload: CredentialChanged = {
      type: 'CredentialChanged',
      act,
      credentialId: id,
      username: id,
      role: auditTextOf(row),
    };
    // Who ends the own session must get the answer.
    if (caller.user.startsWith(`${id}:`)) caller.access.close();
    await this.db.transaction().execute(async (trx) => {
      const stored = new IdentityProvidersRepository(trx);
      await stored.lock();
      await work(stored, new SessionsRepository(trx), trx);
      await this.acts.append([{ entityKey: ORGANIZATION_KEY, payload }], caller);
    });
    this.providers.forget();
    await this.known.refresh();
  }

  private viewOf(row: ProviderRow): IdentityProviderDto {
    const { origin } = this.providers;
    const provider = { ...row.settings, id: row.id, label: row.label, issuer: row.issuer };
    return identityProviderView(provider, {
      origin,
      isReadOnly: false,
      problem: this.problemOf(row),
      version: row.generation,
    });
  }

  private problemOf(row: ProviderRow): string | null {
    if (row.clientSecret === null) return NO_SECRET;
    if (this.providers.providerOf(row) === null) return SEALED_WITH_ANOTHER_KEY;
    return this.providers.origin === null ? NO_PUBLIC_URL : null;
  }
}

const notFound = (id: string) => new NotFoundException(`no identity provider has the id ${id}`);

/** @throws BadRequestException with the path of each invalid field */
function checked(given: object): OidcProvider {
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  // Null says that a change ends the limit.
  const isLimit = (name: string) => name === 'departments' || name === 'locations';
  const kept = stated.filter(([name, value]) => value !== null || !isLimit(name));
  const provider = Object.assign(new OidcProvider(), Object.fromEntries(kept));
  const problems = oidcProviderProblems(provider);
  if (problems.length > 0) throw new BadRequestException(problems.join('; '));
  if (JSON.stringify(provider).length > SETTINGS_CHARACTERS_MAX) {
    throw new BadRequestException(
      `grants, departments and locations must have at most ${SETTINGS_CHARACTERS_MAX} characters as JSON, together with the other fields`,
    );
  }
  return provider;
}
