import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { Warning } from '#libs/domain';

/** The accepted upload of a 200; shown until the fold has processed the upload. */
export interface UploadReceipt {
  uploadId: string;
  kind: 'json' | 'zip' | 'inbox';
  /** Null: it has a source. */
  by: string | null;
  receivedAt: number;
  events: number;
  signals: number;
  rejected: number;
  warnings: Warning[];
  /** Topic, partition and offset of the record of the inbox; omitted: sent over HTTP. */
  source?: string;
}

/** Of one insert: far below the limit of bound values. */
const ROWS_MAX = 500;
/** As many as there may be connections: callers that have given up would else add to them while a statement hangs. */
const WAITING_MAX = 2_048;
const MS_MAX = 2_000;

/** Writes receipts, those of concurrent uploads together: one statement at a time, the next takes all that wait. */
@Injectable()
export class ReceiptsRepository {
  private waiting: UploadReceipt[] = [];
  private next: Promise<void> | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * A retry under the same identity keeps the first receipt. After 2 s it is still written if the database executes it.
   * @throws Error if 2,048 wait already, the database fails, or it takes longer than 2 s
   */
  async add(receipt: UploadReceipt): Promise<void> {
    if (this.waiting.length >= WAITING_MAX) throw new Error(`${WAITING_MAX} receipts wait already`);
    this.waiting.push(receipt);
    this.next ??= inTime(this.running.catch(() => undefined).then(() => this.writeWaiting()));
    return this.next;
  }

  private writeWaiting(): Promise<void> {
    const receipts = this.waiting;
    this.waiting = [];
    this.next = undefined;
    this.running = this.insert(receipts);
    return this.running;
  }

  private insert(receipts: UploadReceipt[]): Promise<void> {
    return this.db.transaction().execute(async (transaction) => {
      // The log outlives a power cut and says the same: no answer waits for the disk a second time.
      await sql`set local synchronous_commit = off`.execute(transaction);
      await insertReceipts(transaction, receipts);
    });
  }
}

/** p-timeout takes two stack traces in advance each time, which cost 1 % of the gateway's work on JSON signals. */
function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not done after ${MS_MAX} ms`)), MS_MAX);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** Of an upload that has a receipt, the first one stays. */
export async function insertReceipts(db: Kysely<Schema>, receipts: UploadReceipt[]): Promise<void> {
  for (let from = 0; from < receipts.length; from += ROWS_MAX) {
    await db
      .insertInto('upload_receipts')
      .values(receipts.slice(from, from + ROWS_MAX).map(rowOf))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const rowOf = (receipt: UploadReceipt) => ({
  upload_id: receipt.uploadId,
  kind: receipt.kind,
  by_user: receipt.by,
  received_at: new Date(receipt.receivedAt),
  events: receipt.events,
  signals: receipt.signals,
  rejected: receipt.rejected,
  warnings: JSON.stringify(receipt.warnings),
  source: receipt.source ?? null,
});
