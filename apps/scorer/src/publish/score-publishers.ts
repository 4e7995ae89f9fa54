import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { PartitionPublishers } from '#libs/publish';
import { ChangeCodecs } from '#libs/schema-registry';
import { ScoreOutbox } from './score-outbox.ts';

/** Publishes the changes of scores of the partitions that this process scores. */
@Injectable()
export class ScorePublishers extends PartitionPublishers {
  constructor(@Inject(EVENT_LOG) log: EventLog, @Inject(DATABASE) db: Kysely<Schema>, codecs: ChangeCodecs) {
    super(log, db, [new ScoreOutbox(db, codecs)]);
  }
}
