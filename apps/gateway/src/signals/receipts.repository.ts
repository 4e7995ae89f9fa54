import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { bareLiteral, DATABASE, type Schema } from '#libs/database';
import { isoTime, type Warning } from '#libs/domain';

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
    this.running = insertReceipts(this.db, receipts);
    return this.running;
  }
}

/** p-timeout takes two stack traces in advance each time, which cost 1 % of the gateway's work on JSON signals. */
function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not done after ${MS_MAX} ms`)), MS_MAX);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/**
 * Of an upload that has a receipt, the first one stays. The transaction does not wait for the disk: the log outlives a
 * power cut and says the same.
 */
export async function insertReceipts(db: Kysely<Schema>, receipts: UploadReceipt[]): Promise<void> {
  await sql`
    /* insert_receipts */
    insert into upload_receipts (upload_id, kind, by_user, received_at, events, signals, rejected, warnings, source)
    select t.* from set_config('synchronous_commit', 'off', true), unnest(
      ${bareLiteral(receipts.map(({ uploadId }) => uploadId))}::uuid[],
      ${bareLiteral(receipts.map(({ kind }) => kind))}::text[],
      ${receipts.map(({ by }) => by)}::text[],
      ${receipts.map(({ receivedAt }) => isoTime(receivedAt))}::timestamptz[],
      ${bareLiteral(receipts.map(({ events }) => events))}::integer[],
      ${bareLiteral(receipts.map(({ signals }) => signals))}::integer[],
      ${bareLiteral(receipts.map(({ rejected }) => rejected))}::integer[],
      ${receipts.map(({ warnings }) => JSON.stringify(warnings))}::json[],
      ${receipts.map(({ source }) => source ?? null)}::text[]
    ) t
    on conflict do nothing`.execute(db);
}
