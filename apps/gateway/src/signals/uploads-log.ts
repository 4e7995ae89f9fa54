import { Inject, Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import type { Logger } from '#libs/config';
import { EVENT_LOG, type EventLog, type LogRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { acceptedSignals } from '#libs/telemetry';
import { LOGGER } from '../tokens.ts';
import { ReceiptsRepository, type UploadReceipt } from './receipts.repository.ts';

/** What an answer waits for that says no more than the log has said already. */
const MS_MAX = 2_000;

/** Greatest offset appended, by partition. */
export type Reached = Map<number, number>;

/** Puts what an upload brings on the intake log, and the receipt beside it. */
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
   * Appends records and notes how far the partitions have come.
   * @throws LogUnavailableError
   */
  async append(records: LogRecord[], reached: Reached): Promise<void> {
    for (const { partition, offset } of await this.log.append(INTAKE_TOPIC, records)) {
      reached.set(partition, Math.max(offset, reached.get(partition) ?? 0));
    }
  }

  /** The last offset of each partition that holds anything, as of now; null where the log does not tell in 2 s. */
  async lastOffsets(): Promise<Reached | null> {
    try {
      const ends = await pTimeout(this.log.ends(INTAKE_TOPIC), { milliseconds: MS_MAX });
      return new Map(
        [...ends.entries()].filter(([, end]) => end > 0).map(([partition, end]) => [partition, end - 1]),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'the ends of the log were not read');
      return null;
    }
  }

  /**
   * The log has the events already: a receipt that cannot be written takes nothing back, and one that takes longer than
   * 2 s holds no answer; it is still written where the database comes to it.
   */
  async addReceipt(receipt: UploadReceipt): Promise<void> {
    acceptedSignals.inc({ kind: receipt.kind }, receipt.signals);
    try {
      await pTimeout(this.receipts.add(receipt), { milliseconds: MS_MAX });
    } catch (error) {
      this.logger.warn(
        { err: error, uploadId: receipt.uploadId },
        'the receipt of an upload was not written',
      );
    }
  }
}
