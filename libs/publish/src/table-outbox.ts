import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import type { StoredRecord } from '#libs/event-log';
import type { Outbox, OutboxBatch, OutboxPosition } from './outbox.ts';
import { lastPublished, notePublished } from './published-changes.ts';

/** An outbox whose position is the sequence of the last published record, or of the note if the output is empty. */
export abstract class TableOutbox implements Outbox {
  abstract readonly topic: string;

  constructor(protected readonly db: Kysely<Schema>) {}

  async ready(): Promise<void> {}

  abstract isInUse(partition: number): Promise<boolean>;

  async resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition | null> {
    return { sequence: await lastPublished(this.db, this.topic, partition, last), deletion: 0 };
  }

  abstract next(partition: number, position: OutboxPosition): Promise<OutboxBatch | null>;

  note(partition: number, { sequence }: OutboxPosition): Promise<void> {
    return notePublished(this.db, this.topic, partition, sequence);
  }
}
