import { tombstoneOf } from '#libs/changes';
import { ASSETS_TOPIC, type ChangeEvent } from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';
import { ChangeOutbox } from '#libs/publish';
import { foldedSequences } from './folded-sequences.ts';

/** The changes of assets; one that was deleted ends in a tombstone. */
export class AssetOutbox extends ChangeOutbox {
  readonly topic = ASSETS_TOPIC;
  protected readonly changes = 'assets';

  async isInUse(partition: number): Promise<boolean> {
    return (await foldedSequences(this.db, partition)).asset > 0;
  }

  protected override recordsOf(event: ChangeEvent): LogRecord[] {
    const records = super.recordsOf(event);
    // A new mapping can change a deleted asset if both events were appended at the same time. Its key stays deleted.
    return event.kind === 'asset' && event.changed.deletedAt !== null
      ? [...records, tombstoneOf(event)]
      : records;
  }
}
