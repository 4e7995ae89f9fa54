import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { PartitionPublishers } from '#libs/publish';
import { ChangeCodecs } from '#libs/schema-registry';
import { AssetOutbox } from './asset-outbox.ts';
import { FindingOutbox } from './finding-outbox.ts';
import { FoldBacklog } from './fold-backlog.ts';
import { QuarantineOutbox } from './quarantine-outbox.ts';

/** Publishes the changes and the quarantine of the partitions that this process owns. */
@Injectable()
export class ChangePublishers extends PartitionPublishers {
  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(DATABASE) db: Kysely<Schema>,
    codecs: ChangeCodecs,
    backlog: FoldBacklog,
  ) {
    const outboxes = [new AssetOutbox(db, codecs), new FindingOutbox(db, codecs), new QuarantineOutbox(db)];
    super(log, db, outboxes, (workedMs) => backlog.restAfter(workedMs));
  }
}
