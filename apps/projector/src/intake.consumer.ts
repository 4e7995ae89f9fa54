import { Controller, Inject, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog, OnAssigned, OnBatch, OnRevoked, type StoredRecord } from '#libs/event-log';
import { assertFoldedFrom, INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { atScrape, foldCacheBytes } from '#libs/telemetry';
import { ChangePublishers } from './publish/change-publishers.ts';
import { FoldBacklog } from './publish/fold-backlog.ts';
import { Sweeps } from './sweep/sweeps.ts';
import { TotalsCounts } from './totals/totals-counts.ts';

/** The projector's side of the intake log; the projector of a partition also publishes its changes and sweeps it. */
@Controller()
export class IntakeConsumer implements OnModuleInit, OnModuleDestroy {
  private unregister = () => {};

  constructor(
    private readonly projection: Projection,
    private readonly publishers: ChangePublishers,
    private readonly sweeps: Sweeps,
    private readonly totals: TotalsCounts,
    private readonly backlog: FoldBacklog,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
  ) {}

  onModuleInit(): void {
    this.unregister = atScrape('fold cache', () => foldCacheBytes.set(this.projection.cachedBytes));
  }

  onModuleDestroy(): void {
    this.unregister();
  }

  @OnAssigned(INTAKE_TOPIC)
  async assigned(@Payload() partition: number): Promise<number> {
    const nextOffset = await this.projection.open(partition);
    await assertFoldedFrom(this.db, this.log, { partition, offset: nextOffset });
    this.publishers.hold(partition);
    this.sweeps.hold(partition);
    this.totals.hold(partition);
    return nextOffset;
  }

  @OnBatch(INTAKE_TOPIC)
  async batch(@Payload() records: StoredRecord[]): Promise<number> {
    const nextOffset = await this.projection.project(records);
    this.backlog.folded(records);
    this.publishers.wake(records[0]!.partition);
    return nextOffset;
  }

  @OnRevoked(INTAKE_TOPIC)
  async revoked(@Payload() partition: number): Promise<void> {
    this.projection.close(partition);
    await Promise.all([
      this.publishers.release(partition),
      this.sweeps.release(partition),
      this.totals.release(partition),
    ]);
  }
}
