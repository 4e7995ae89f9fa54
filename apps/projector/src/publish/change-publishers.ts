import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { PartitionPublishers, tellPublishLag } from '#libs/publish';
import { ChangeCodecs } from '#libs/schema-registry';
import { atScrape } from '#libs/telemetry';
import { AssetOutbox } from './asset-outbox.ts';
import { FindingOutbox } from './finding-outbox.ts';
import { FoldBacklog } from './fold-backlog.ts';
import { QuarantineOutbox } from './quarantine-outbox.ts';

/** Publishes the changes and the quarantine of the partitions that this process holds (design "The projector"). */
@Injectable()
export class ChangePublishers extends PartitionPublishers implements OnModuleInit, OnModuleDestroy {
  private stopTelling = () => {};

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    codecs: ChangeCodecs,
    backlog: FoldBacklog,
  ) {
    const outboxes = [new AssetOutbox(db, codecs), new FindingOutbox(db, codecs), new QuarantineOutbox(db)];
    super(log, outboxes, (workedMs) => backlog.restAfter(workedMs));
  }

  onModuleInit(): void {
    this.stopTelling = atScrape('publishing', () => tellPublishLag(this.db));
  }

  onModuleDestroy(): void {
    this.stopTelling();
  }
}
