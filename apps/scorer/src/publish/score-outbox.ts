import { SEQUENCE_HEADER, tombstoneOf } from '#libs/changes';
import { type ChangeEvent, SCORES_TOPIC } from '#libs/contracts';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import { ChangeOutbox, numberOf, type OutboxPosition } from '#libs/publish';

/** The changes of scores, one record each: that of a deleted asset is a tombstone. */
export class ScoreOutbox extends ChangeOutbox {
  readonly topic = SCORES_TOPIC;
  protected readonly changes = 'scores';

  async isInUse(partition: number): Promise<boolean> {
    const scored = await this.db
      .selectFrom('scored_partitions')
      .select('sequence')
      .where('partition', '=', partition)
      .executeTakeFirst();
    return (scored?.sequence ?? 0) > 0;
  }

  override async resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition | null> {
    return super.resume(partition, last && (await this.isKnown(partition, last)) ? last : null);
  }

  protected override recordsOf(event: ChangeEvent): LogRecord[] {
    return event.kind === 'score' && event.changed.change.name === 'deleted'
      ? [tombstoneOf(event)]
      : super.recordsOf(event);
  }

  /**
   * Whether the tables contain the same change under the record's number. Those of a database that was restored to an
   * earlier time do not: scoring again may produce other batches. Then the note in the tables, which is as old, is
   * used.
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
