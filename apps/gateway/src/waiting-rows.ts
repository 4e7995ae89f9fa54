import type { Logger } from '#libs/config';
import { Periodic } from './periodic.ts';

export interface WaitingRowsOptions<Row> {
  /** What the rows are, for log messages. */
  what: string;
  intervalMs: number;
  /** Rows that wait while the database is unavailable; further ones are dropped, and a log line counts them. */
  max: number;
  /** Rows with the same key are written as one. */
  keyOf: (row: Row) => string;
  /** Adds a row to the one that waits under its key. */
  add: (waiting: Row, row: Row) => void;
  write: (rows: Row[]) => Promise<void>;
  /** After each round that did not fail. */
  afterwards?: () => Promise<void>;
  logger: Logger;
}

/** Rows that requests leave, written at intervals: no request waits for the database. */
export class WaitingRows<Row> {
  private waiting = new Map<string, Row>();
  private lost = 0;
  private readonly writing: Periodic;

  constructor(private readonly options: WaitingRowsOptions<Row>) {
    const { intervalMs, what, logger } = options;
    this.writing = new Periodic(intervalMs, () => this.write(), `storing ${what} failed`, logger);
  }

  start(): Promise<void> {
    return this.writing.start();
  }

  /** Writes what still waits. */
  async stop(): Promise<void> {
    await this.writing.stop();
    await this.writing.round();
  }

  take(row: Row): void {
    const { keyOf, add, max } = this.options;
    const key = keyOf(row);
    const waiting = this.waiting.get(key);
    if (waiting) add(waiting, row);
    else if (this.waiting.size < max) this.waiting.set(key, row);
    else this.lost += 1;
  }

  private async write(): Promise<void> {
    const { what, write, afterwards, logger } = this.options;
    const rows = this.waiting;
    this.waiting = new Map();
    try {
      if (rows.size > 0) await write([...rows.values()]);
    } catch (error) {
      const later = this.waiting;
      this.waiting = rows;
      for (const row of later.values()) this.take(row);
      throw error;
    }
    if (this.lost > 0) logger.warn({ lost: this.lost }, `${what} dropped: too many wait`);
    this.lost = 0;
    await afterwards?.();
  }
}
