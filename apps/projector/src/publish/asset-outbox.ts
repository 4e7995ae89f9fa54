import type { Kysely } from 'kysely';
import { readAssetChanges } from '#libs/changes';
import { ASSETS_TOPIC, type AssetChanged, type ChangeCodec } from '#libs/contracts';
import type { Schema } from '#libs/database';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import {
  changeRecord,
  lastPublished,
  notePublished,
  type Outbox,
  type OutboxBatch,
  type OutboxPosition,
  PUBLISH_BOUNDS,
  tombstoneOf,
} from '#libs/publish';
import type { ChangeCodecs } from '#libs/schema-registry';
import { foldedSequences } from './folded-sequences.ts';

/** The changes of assets; one that was deleted ends in a tombstone. */
export class AssetOutbox implements Outbox {
  readonly topic = ASSETS_TOPIC;

  private codec!: ChangeCodec;

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly codecs: Pick<ChangeCodecs, 'of'>,
  ) {}

  async ready(): Promise<void> {
    this.codec = await this.codecs.of(this.topic);
  }

  async isInUse(partition: number): Promise<boolean> {
    return (await foldedSequences(this.db, partition)).asset > 0;
  }

  async resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition> {
    return { sequence: await lastPublished(this.db, this.topic, partition, last), deletion: 0 };
  }

  async next(partition: number, { sequence, deletion }: OutboxPosition): Promise<OutboxBatch | null> {
    const changes = await readAssetChanges(this.db, { partition, after: sequence }, PUBLISH_BOUNDS);
    const last = changes.at(-1);
    if (!last) return null;
    return {
      records: changes.flatMap((changed) => recordsOf(changed, this.codec)),
      position: { sequence: last.change.sequence, deletion },
    };
  }

  note(partition: number, { sequence }: OutboxPosition): Promise<void> {
    return notePublished(this.db, this.topic, partition, sequence);
  }
}

function recordsOf(changed: AssetChanged, codec: ChangeCodec): LogRecord[] {
  const event = { kind: 'asset', changed } as const;
  const record = changeRecord(event, codec);
  // A new mapping types it once more where that and its deletion cross on their way; its key stays dead.
  return changed.deletedAt === null ? [record] : [record, tombstoneOf(event)];
}
