import { randomUUID } from 'node:crypto';
import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { ORGANIZATION_KEY } from '#libs/domain';
import { EventSealer } from '#libs/sealing';
import { ActsService } from '../acts/acts.service.ts';
import type { Caller } from '../auth/caller.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import type { RequestedSyncDto, RequestSyncDto, SyncDto } from './integration.dto.ts';
import { IntegrationsService } from './integrations.service.ts';
import { syncView } from './sync-view.ts';
import { SyncsRepository } from './syncs.repository.ts';

/** Requests syncs, which a collector runs, and reports their results. */
@Injectable()
export class SyncsService {
  constructor(
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    private readonly integrations: IntegrationsService,
    private readonly syncs: SyncsRepository,
    private readonly acts: ActsService,
    private readonly sealer: EventSealer,
  ) {}

  /** @throws NotFoundException, BadRequestException if a secret is missing, ConflictException while one is unfinished */
  async request(
    integrationId: string,
    { full: isFull = false }: RequestSyncDto,
    caller: Caller,
  ): Promise<RequestedSyncDto> {
    await this.integrations.secretsOf(await this.integrations.find(integrationId));
    const syncId = randomUUID();
    const sync = {
      id: syncId,
      integrationId,
      isFull,
      requestedBy: await this.sealer.personal(caller.user),
      requestedAt: this.clock.now(),
    };
    const payload = { type: 'SyncRequested', integrationId, syncId, isFull } as const;
    if (await this.syncs.isUnfinished(integrationId)) throw unfinished();
    // The act is on the log before a collector can see the sync: the audit trail shows every running sync. Of two that
    // ask at once both are in it, as both have asked.
    await this.acts.append([{ entityKey: ORGANIZATION_KEY, payload }], caller);
    if (!(await this.syncs.add(sync))) throw unfinished();
    return { syncId };
  }

  /**
   * Cancels the sync that waits or runs; a collector ends it within seconds. Not an event: the history says who did.
   * @throws NotFoundException, ConflictException while none waits or runs
   */
  async cancel(integrationId: string, { user }: Caller): Promise<RequestedSyncDto> {
    await this.integrations.find(integrationId);
    const syncId = await this.syncs.cancel(integrationId, await this.sealer.personal(user));
    if (syncId === null) throw new ConflictException('no sync of this integration is pending or in progress');
    return { syncId };
  }

  /** Newest first. @throws NotFoundException */
  async history(integrationId: string, { limit, cursor }: PageQuery): Promise<Page<SyncDto>> {
    await this.integrations.find(integrationId);
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.syncs.list(integrationId, after, limit + 1);
    return pageFrom(rows, limit, ({ requestedAt, id }) => [requestedAt, id], syncView);
  }
}

const unfinished = () =>
  new ConflictException(
    'a sync of this integration is pending or in progress: repeat the request after it has ended',
  );
