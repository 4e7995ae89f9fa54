import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { PartitionPublishers, tellPublishLag } from '#libs/publish';
import { ChangeCodecs } from '#libs/schema-registry';
import { atScrape } from '#libs/telemetry';
import { ScoreOutbox } from './score-outbox.ts';

/** Publishes the changes of scores of the partitions that this process scores. */
@Injectable()
export class ScorePublishers extends PartitionPublishers implements OnModuleInit, OnModuleDestroy {
  private stopTelling = () => {};

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    codecs: ChangeCodecs,
  ) {
    super(log, [new ScoreOutbox(db, codecs)]);
  }

  onModuleInit(): void {
    this.stopTelling = atScrape('publishing', () => tellPublishLag(this.db));
  }

  onModuleDestroy(): void {
    this.stopTelling();
  }
}
