import type { Kysely } from 'kysely';
import { readScoreChanges } from '#libs/changes';
import { type ChangeCodec, SCORES_TOPIC, type ScoreChanged } from '#libs/contracts';
import type { Schema } from '#libs/database';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import {
  changeRecord,
  lastPublished,
  notePublished,
  numberOf,
  type Outbox,
  type OutboxBatch,
  type OutboxPosition,
  PUBLISH_BOUNDS,
  SEQUENCE_HEADER,
  tombstoneOf,
} from '#libs/publish';
import type { ChangeCodecs } from '#libs/schema-registry';

/** The changes of scores, one record each: that of a deleted asset is a tombstone. */
export class ScoreOutbox implements Outbox {
  readonly topic = SCORES_TOPIC;

  private codec!: ChangeCodec;

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly codecs: Pick<ChangeCodecs, 'of'>,
  ) {}

  async ready(): Promise<void> {
    this.codec = await this.codecs.of(this.topic);
  }

  async isInUse(partition: number): Promise<boolean> {
    const scored = await this.db
      .selectFrom('scored_partitions')
      .select('sequence')
      .where('partition', '=', partition)
      .executeTakeFirst();
    return (scored?.sequence ?? 0) > 0;
  }

  async resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition> {
    const told = last && (await this.isKnown(partition, last)) ? last : null;
    return { sequence: await lastPublished(this.db, this.topic, partition, told), deletion: 0 };
  }

  async next(partition: number, { sequence, deletion }: OutboxPosition): Promise<OutboxBatch | null> {
    const changes = await readScoreChanges(this.db, { partition, after: sequence }, PUBLISH_BOUNDS);
    const last = changes.at(-1);
    if (!last) return null;
    return {
      records: changes.map((changed) => recordOf(changed, this.codec)),
      position: { sequence: last.change.sequence, deletion },
    };
  }

  note(partition: number, { sequence }: OutboxPosition): Promise<void> {
    return notePublished(this.db, this.topic, partition, sequence);
  }

  /**
   * Whether the tables tell the same change under the record's number. Those of a database that was restored to a time
   * before it do not: what is scored again may come in other batches. Then its own note, as old as the tables, goes.
   */
  private async isKnown(partition: number, record: StoredRecord): Promise<boolean> {
    const change = await this.db
      .selectFrom('score_changes')
      .select(['asset_id', 'at'])
      .where('partition', '=', partition)
      .where('sequence', '=', numberOf(record, SEQUENCE_HEADER))
      .executeTakeFirst();
    return change?.asset_id === record.key && change.at === Date.parse(record.headers.ce_time ?? '');
  }
}

function recordOf(changed: ScoreChanged, codec: ChangeCodec): LogRecord {
  const event = { kind: 'score', changed } as const;
  return changed.change.name === 'deleted' ? tombstoneOf(event) : changeRecord(event, codec);
}
