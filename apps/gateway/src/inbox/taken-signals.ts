import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { inboxUploadId, type UploadHeader } from '#libs/domain';
import { EVENT_LOG, type EventLog, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { EventSealer } from '#libs/sealing';
import { RetryLaterException } from '../http/http-errors.ts';
import { ProjectionPositions } from '../projection/projection-positions.repository.ts';
import type { UploadReceipt } from '../signals/receipts.repository.ts';
import { sourceOf } from './refused-record.ts';

const RETRY_SECONDS = 1;

/** The same each time that the record is read. */
export const uploadIdOf = (record: StoredRecord): string => inboxUploadId(sourceOf(record), record.storedAt);

/**
 * Records of the inbox that the log already has. With sealing, the fold cannot drop every record that is read again: one
 * about a person who was erased since would be that of a new subject, in another partition (R-INBOX-3).
 */
@Injectable()
export class TakenSignals {
  /** By partition of the inbox: where the log ended when this gateway got it, until that is folded. */
  private readonly unfolded = new Map<number, number[]>();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly positions: ProjectionPositions,
    private readonly sealer: EventSealer,
  ) {}

  /** @throws LogUnavailableError */
  async open(partition: number): Promise<void> {
    if (this.sealer.isOn) this.unfolded.set(partition, await this.log.ends(INTAKE_TOPIC));
  }

  close(partition: number): void {
    this.unfolded.delete(partition);
  }

  /** @throws RetryLaterException until everything is folded that was appended before this gateway got the partition */
  async assertFolded(partition: number): Promise<void> {
    const ends = this.unfolded.get(partition);
    if (!ends) return;
    const folded = await this.positions.read();
    if (ends.some((end, of) => (folded.get(of) ?? 0) < end)) {
      throw new RetryLaterException(RETRY_SECONDS, 'fold_lag');
    }
    this.unfolded.delete(partition);
  }

  /** Receipts of the records whose uploads are folded, by the id of the upload. */
  async receipts(records: readonly StoredRecord[]): Promise<Map<string, UploadReceipt>> {
    if (!this.sealer.isOn) return new Map();
    const sources = new Map(records.map((record) => [uploadIdOf(record), sourceOf(record)]));
    const rows = await this.db
      .selectFrom('upload_progress')
      .select(['upload_id', 'received_at', 'header'])
      .where(sql<boolean>`upload_id = any(${[...sources.keys()]}::uuid[])`)
      .execute();
    return new Map(
      rows.map(({ upload_id: uploadId, received_at: receivedAt, header }) => [
        uploadId,
        {
          uploadId,
          kind: 'inbox',
          by: null,
          receivedAt,
          source: sources.get(uploadId)!,
          ...(header as UploadHeader),
        },
      ]),
    );
  }
}
