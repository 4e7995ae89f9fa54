import type { Kysely } from 'kysely';
import { changeRecord, readChanges, type StreamTopic } from '#libs/changes';
import type { ChangeCodec, ChangeEvent, ChangeTopic } from '#libs/contracts';
import type { Schema } from '#libs/database';
import type { LogRecord } from '#libs/event-log';
import type { ChangeCodecs } from '#libs/schema-registry';
import { type OutboxBatch, type OutboxPosition, PUBLISH_BOUNDS } from './outbox.ts';
import { TableOutbox } from './table-outbox.ts';

/** The changes of one kind: a record for each, in order. */
export abstract class ChangeOutbox extends TableOutbox {
  abstract override readonly topic: ChangeTopic;
  /** The name of these changes in the change stream. */
  protected abstract readonly changes: StreamTopic;

  private codec!: ChangeCodec;

  constructor(
    db: Kysely<Schema>,
    private readonly codecs: Pick<ChangeCodecs, 'of'>,
  ) {
    super(db);
  }

  override async ready(): Promise<void> {
    this.codec = await this.codecs.of(this.topic);
  }

  async next(partition: number, { sequence, deletion }: OutboxPosition): Promise<OutboxBatch | null> {
    const range = { partition, after: sequence };
    const events = await readChanges(this.db, this.changes, range, PUBLISH_BOUNDS);
    const last = events.at(-1);
    if (!last) return null;
    return {
      records: events.flatMap((event) => this.recordsOf(event)),
      position: { sequence: last.changed.change.sequence, deletion },
      hasMore: true,
    };
  }

  protected recordsOf(event: ChangeEvent): LogRecord[] {
    return [changeRecord(event, this.codec)];
  }
}
