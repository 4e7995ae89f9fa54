import type pg from 'pg';
import { LogBusyError, LogUnavailableError, type Position } from '../event-log.ts';
import { appendRecords, bytesOf, fitsOneStatement, type PlacedRecord } from './append-records.ts';
import { asLogError } from './log-error.ts';
import { inTransaction } from './transaction.ts';

/** Above these limits the next transaction takes no further call; a larger call has its own transaction. */
const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024;
const TRANSACTION_RECORDS_MAX = 5_000;
/** Limits of waiting records; further calls are rejected, so that memory stays bounded. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

interface Call {
  records: PlacedRecord[];
  bytes: number;
  resolve(positions: Position[]): void;
  reject(error: unknown): void;
}

/**
 * Appends to one topic, one transaction at a time. All waiting calls share the next transaction, and with it one flush
 * to disk.
 */
export class AppendLane {
  private readonly waiting: Call[] = [];
  private waitingBytes = 0;
  private draining: Promise<void> | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly topic: string,
    private readonly waitingBytesMax = WAITING_BYTES_MAX,
  ) {}

  /**
   * All or nothing, durable when it resolves.
   * @throws LogUnavailableError
   */
  append(records: PlacedRecord[]): Promise<Position[]> {
    const bytes = records.reduce((sum, record) => sum + bytesOf(record), 0);
    if (this.waiting.length > 0 && this.waitingBytes + bytes > this.waitingBytesMax) {
      return Promise.reject(new LogBusyError('the log is busy: too many records wait to be appended'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ records, bytes, resolve, reject });
      this.waitingBytes += bytes;
      this.draining ??= this.drain();
    });
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) await this.appendTogether(this.takeNext());
    this.draining = undefined;
  }

  private takeNext(): Call[] {
    let bytes = 0;
    let count = 0;
    let calls = 0;
    for (const call of this.waiting) {
      bytes += call.bytes;
      count += call.records.length;
      if (calls > 0 && (bytes > TRANSACTION_BYTES_MAX || count > TRANSACTION_RECORDS_MAX)) break;
      calls++;
      this.waitingBytes -= call.bytes;
    }
    return this.waiting.splice(0, calls);
  }

  private async appendTogether(calls: Call[]): Promise<void> {
    try {
      const positions = await this.transact(calls.flatMap(({ records }) => records));
      let start = 0;
      for (const { records, resolve } of calls) {
        resolve(positions.slice(start, start + records.length));
        start += records.length;
      }
    } catch (error) {
      const told = asLogError(error);
      if (calls.length > 1 && !(told instanceof LogUnavailableError)) {
        // One call contains data that PostgreSQL rejects: the others must not fail with it.
        for (const call of calls) await this.appendTogether([call]);
      } else {
        for (const { reject } of calls) reject(told);
      }
    }
  }

  private transact(records: PlacedRecord[]): Promise<Position[]> {
    return fitsOneStatement(records)
      ? appendRecords(this.pool, this.topic, records)
      : inTransaction(this.pool, (client) => appendRecords(client, this.topic, records));
  }
}
