import { Inject, Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import type { Logger } from '#libs/config';
import { EVENT_LOG, type EventLog, type LogRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { acceptedSignals } from '#libs/telemetry';
import { LOGGER } from '../tokens.ts';
import { ReceiptsRepository, type UploadReceipt } from './receipts.repository.ts';

/** Of a wait of an answer that contains only what the log has acknowledged. */
const MS_MAX = 2_000;

/** Greatest offset appended, by partition. */
export type AppendedOffsets = Map<number, number>;

/** Appends the events of an upload to the intake log, and stores its receipt. */
@Injectable()
export class UploadsLog {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly receipts: ReceiptsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get partitions(): number {
    return this.log.partitions;
  }

  /**
   * Appends records, and stores the last appended offset of each partition in `appendedOffsets`.
   * @throws LogUnavailableError
   */
  async append(records: LogRecord[], appendedOffsets: AppendedOffsets): Promise<void> {
    for (const { partition, offset } of await this.log.append(INTAKE_TOPIC, records)) {
      appendedOffsets.set(partition, Math.max(offset, appendedOffsets.get(partition) ?? 0));
    }
  }

  /** The last offset of each non-empty partition, as of now; null if the log does not respond in 2 s. */
  async lastOffsets(): Promise<AppendedOffsets | null> {
    try {
      const ends = await pTimeout(this.log.ends(INTAKE_TOPIC), { milliseconds: MS_MAX });
      return new Map(
        [...ends.entries()].filter(([, end]) => end > 0).map(([partition, end]) => [partition, end - 1]),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'reading the end offsets of the log failed');
      return null;
    }
  }

  /** The log already has the events: a receipt that cannot be written, or not within 2 s, is no failure of the upload. */
  async addReceipt(receipt: UploadReceipt): Promise<void> {
    acceptedSignals.inc({ kind: receipt.kind }, receipt.signals);
    try {
      await this.receipts.add(receipt);
    } catch (error) {
      this.logger.warn({ err: error, uploadId: receipt.uploadId }, 'storing the receipt of an upload failed');
    }
  }
}
