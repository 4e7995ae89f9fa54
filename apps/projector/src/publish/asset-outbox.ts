import type { Kysely } from 'kysely';
import { readAssetChanges } from '#libs/changes';
import { ASSETS_TOPIC, type AssetChanged } from '#libs/contracts';
import type { Schema } from '#libs/database';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import { assetTombstone, changeRecord } from './change-record.ts';
import {
  type EncodeChange,
  type Outbox,
  type OutboxBatch,
  type OutboxPosition,
  PUBLISH_BOUNDS,
} from './outbox.ts';
import { lastPublished, notePublished } from './published-changes.ts';

/** The changes of assets; one that was deleted ends in a tombstone. */
export class AssetOutbox implements Outbox {
  readonly topic = ASSETS_TOPIC;

  constructor(private readonly db: Kysely<Schema>) {}

  async resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition> {
    return { sequence: await lastPublished(this.db, this.topic, partition, last), deletion: 0 };
  }

  async next(
    partition: number,
    { sequence, deletion }: OutboxPosition,
    encode: EncodeChange,
  ): Promise<OutboxBatch | null> {
    const changes = await readAssetChanges(this.db, { partition, after: sequence }, PUBLISH_BOUNDS);
    const last = changes.at(-1);
    if (!last) return null;
    return {
      records: changes.flatMap((changed) => recordsOf(changed, encode)),
      position: { sequence: last.change.sequence, deletion },
    };
  }

  note(partition: number, { sequence }: OutboxPosition): Promise<void> {
    return notePublished(this.db, this.topic, partition, sequence);
  }
}

function recordsOf(changed: AssetChanged, encode: EncodeChange): LogRecord[] {
  const event = { kind: 'asset', changed } as const;
  const record = changeRecord(event, encode);
  return changed.change.name === 'deleted' ? [record, assetTombstone(event)] : [record];
}
