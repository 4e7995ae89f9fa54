import { isTransientError } from '#libs/database';
import type { BatchBounds } from '../delivery/batch-bounds.ts';
import type { PartitionSource } from '../delivery/partition-delivery.ts';
import { WakeUp } from '../delivery/wake-up.ts';
import { RecordsGoneError, type StoredRecord } from '../event-log.ts';

/** How often an unreachable database is tried again. */
const RETRY_INTERVAL_MS = 250;

/** Reads one partition from the table, up to its known end. */
export class PartitionReader implements PartitionSource {
  private readonly news = new WakeUp();
  private next = 0;
  private knownEnd = 0;
  private isClosed = false;

  /** @param read returns the next records from an offset on; empty if there are none */
  constructor(private readonly read: (from: number, bounds: BatchBounds) => Promise<StoredRecord[]>) {}

  /** Reports how far the partition reaches. */
  setEnd(end: number): void {
    if (end === this.knownEnd) return;
    this.knownEnd = end;
    this.news.ring();
  }

  seek(offset: number): void {
    this.next = offset;
  }

  async ready(): Promise<void> {
    while (!this.isClosed && this.next >= this.knownEnd) await this.news.wait();
  }

  close(): void {
    this.isClosed = true;
    this.news.ring();
  }

  async take(bounds: BatchBounds): Promise<StoredRecord[]> {
    const from = this.next;
    const records = await this.readPatiently(from, bounds);
    if (this.isClosed) return [];
    if (records.length === 0) {
      throw new RecordsGoneError(
        `records are missing from the log: it ends at ${this.knownEnd}, but no record exists from offset ${from}`,
      );
    }
    this.next = records.at(-1)!.offset + 1;
    return records;
  }

  /** An unavailable database is not a failure of the handler: the reader waits for it. */
  private async readPatiently(from: number, bounds: BatchBounds): Promise<StoredRecord[]> {
    while (!this.isClosed) {
      try {
        return await this.read(from, bounds);
      } catch (error) {
        if (!isTransientError(error)) throw error;
        await this.news.wait(RETRY_INTERVAL_MS);
      }
    }
    return [];
  }
}
