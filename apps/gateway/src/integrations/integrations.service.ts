import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  HttpException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { Kysely } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { DATABASE, type Schema } from '#libs/database';
import {
  type Integration,
  type IntegrationSaved,
  isoTime,
  isoTimeOrNull,
  ORGANIZATION_KEY,
} from '#libs/domain';
import { IntegrationSecrets, nextSync, type OpenedSecrets, pastSyncs } from '#libs/integration-store';
import { CONNECTOR_KINDS } from '#libs/integrations';
import { readOrganization } from '#libs/tables';
import { ActsService } from '../acts/acts.service.ts';
import { PendingAct } from '../acts/pending-act.ts';
import type { Caller } from '../auth/caller.ts';
import type { Page, PageQuery } from '../paging/page.ts';
import { pageOfArray } from '../paging/page-of-array.ts';
import type { AddIntegrationDto, ChangeIntegrationDto, IntegrationDto } from './integration.dto.ts';
import { readChange, readDefinition } from './read-definition.ts';
import { syncState } from './sync-view.ts';
import { type SyncRow, SyncsRepository } from './syncs.repository.ts';

const INTEGRATIONS_MAX = 100;

/**
 * Integrations as admins configure them. They are events of the log; their secrets are in a table. Each call reads the
 * folded state, because changes of integrations do not change the version of the settings, which caches compare.
 */
@Injectable()
export class IntegrationsService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    private readonly acts: ActsService,
    private readonly secrets: IntegrationSecrets,
    private readonly syncs: SyncsRepository,
  ) {}

  async list(query: PageQuery): Promise<Page<IntegrationDto>> {
    const { items, nextCursor } = pageOfArray(await this.all(), query, (integration) => integration);
    return { items: await this.views(items), nextCursor };
  }

  /** @throws NotFoundException */
  async get(id: string): Promise<IntegrationDto> {
    const [view] = await this.views([await this.find(id)]);
    return view!;
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<Integration> {
    const known = (await this.all()).find((integration) => integration.id === id);
    if (!known) throw new NotFoundException(`no integration has the id ${id}`);
    return known;
  }

  /** @throws BadRequestException that says which secret is missing, and why */
  async secretsOf(integration: Integration): Promise<Record<string, string>> {
    const { secrets, missing } = await this.secrets.open(integration);
    if (missing.length === 0) return secrets;
    throw new BadRequestException(missing.map(({ message }) => message).join('; '));
  }

  /** @throws BadRequestException, and ConflictException if the name is taken or there are 100 */
  async add(given: AddIntegrationDto, caller: Caller): Promise<IntegrationDto | PendingAct> {
    const { config, secrets } = readDefinition(given);
    const { type, subType, name = subType } = given;
    const others = await this.all();
    if (others.length >= INTEGRATIONS_MAX) {
      throw new ConflictException(
        `the limit of ${INTEGRATIONS_MAX} integrations is reached: remove an integration first`,
      );
    }
    const id = randomUUID();
    const source = name;
    const integration: Integration = {
      id,
      version: 1,
      type,
      subType,
      name,
      source,
      config,
      createdAt: this.clock.now(),
    };
    rejectTaken(integration, others);
    // First: a secret that a crash leaves here belongs to no integration, and the log is complete.
    await this.secrets.put(integration, secrets);
    try {
      return await this.save(integration, null, secrets, caller);
    } catch (error) {
      // Unless the log may have it nevertheless.
      if (error instanceof HttpException) await this.secrets.forget(id);
      throw error;
    }
  }

  /**
   * Changes it as it was read here, or as the caller has seen it.
   * @throws NotFoundException, BadRequestException, ConflictException if the name is taken, or if another user has
   * changed it since
   */
  async change(
    id: string,
    { name, config: changes, version: seenVersion }: ChangeIntegrationDto,
    caller: Caller,
  ): Promise<IntegrationDto | PendingAct> {
    const known = await this.find(id);
    if (name === undefined && Object.keys(changes ?? {}).length === 0) {
      throw new BadRequestException('the body must contain name or at least one field of config');
    }
    const { config, secrets } = readChange(known, changes ?? {});
    const seen = seenVersion ?? known.version;
    const integration: Integration = { ...known, version: seen + 1, name: name ?? known.name, config };
    rejectTaken(
      integration,
      (await this.all()).filter((other) => other.id !== id),
    );
    // Last: if the fold rejects the change, the previous secret stays. A change that is not folded yet needs its secret as
    // well, and until then the integration its own.
    const saved = await this.save(integration, seen, secrets, caller);
    const former = saved instanceof PendingAct ? await this.secrets.open(known) : null;
    await this.secrets.put(integration, secrets, former && { integration: known, secrets: former.secrets });
    return saved instanceof PendingAct ? saved : this.get(id);
  }

  /** Returns the deleted one. @throws NotFoundException */
  async remove(id: string, caller: Caller): Promise<IntegrationDto | PendingAct> {
    const view = await this.get(id);
    // First: after a crash the integration still exists, without its secret, and can be removed again.
    await this.secrets.forget(id);
    const payload = { type: 'IntegrationRemoved', id } as const;
    const done = await this.acts.performOne({ entityKey: ORGANIZATION_KEY, payload }, caller);
    return done.isFolded ? view : new PendingAct(done.position);
  }

  private async save(
    { type, config, version: _, ...integration }: Integration,
    seenVersion: number | null,
    secrets: Record<string, string>,
    caller: Caller,
  ): Promise<IntegrationDto | PendingAct> {
    const payload: IntegrationSaved = {
      ...integration,
      type: 'IntegrationSaved',
      seenVersion,
      integrationType: type,
      config: Object.fromEntries(
        Object.entries(config).map(([field, value]) => [field, JSON.stringify(value)]),
      ),
      secrets: Object.keys(secrets),
    };
    const done = await this.acts.performOne({ entityKey: ORGANIZATION_KEY, payload }, caller);
    return done.isFolded ? this.get(integration.id) : new PendingAct(done.position);
  }

  /** By name. */
  private async all(): Promise<Integration[]> {
    const { integrations = [] } = await readOrganization(this.db);
    return integrations;
  }

  private async views(integrations: Integration[]): Promise<IntegrationDto[]> {
    const opened = await this.secrets.openAll(integrations);
    const ids = integrations.map(({ id }) => id);
    const [last, past] = await Promise.all([this.syncs.last(ids), pastSyncs(this.db, ids)]);
    return integrations.map((one) => ({
      ...integrationView(one, opened.get(one.id)!, last.get(one.id)),
      nextSyncAt: isoTimeOrNull(nextSync(one, past.get(one.id) ?? [])?.at ?? null),
    }));
  }
}

/** Checks the fold's conditions early, with a better message. @throws ConflictException */
function rejectTaken({ name, source }: Integration, others: Integration[]): void {
  const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  if (others.some((other) => isSame(other.name, name))) {
    throw new ConflictException(`another integration has the name ${name}: choose another name`);
  }
  const sameSource = others.find((other) => isSame(other.source, source));
  if (sameSource) {
    throw new ConflictException(
      `the integration ${sameSource.name} uses the source name ${source}: choose another name`,
    );
  }
}

const integrationView = (
  { createdAt, ...integration }: Integration,
  { missing }: OpenedSecrets,
  sync: SyncRow | undefined,
): Omit<IntegrationDto, 'nextSyncAt'> => ({
  ...integration,
  sensitiveFields: [CONNECTOR_KINDS[integration.subType].secret],
  configState: missing.length === 0 ? 'complete' : 'incomplete',
  sync: sync ? syncState(sync) : null,
  createdAt: isoTime(createdAt),
});
