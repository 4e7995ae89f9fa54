import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { Answer } from '#libs/webhooks';
import { ATTEMPTS_MAX, type Attempt } from './attempt.ts';

const PRUNED_AT_ONCE = 5_000;

/** A row that this process has taken. Its attempts say whether another process has taken it since. */
interface Taken {
  id: string;
  attempts: number;
}

/** Rows to send, each taken by one process at a time; a transaction of Kysely will do for a database. */
export abstract class SendQueue {
  protected constructor(
    protected readonly db: Kysely<Schema>,
    private readonly table: 'notification_messages' | 'report_deliveries',
  ) {}

  /**
   * Stores the outcome of an attempt. Returns null if another process has taken the row since, or a user has ended it.
   * @param retryAt when another attempt follows, in epoch ms; null: it was the last
   */
  async settle(
    taken: Taken,
    { outcome, answer }: Attempt,
    now: number,
    retryAt: number | null,
  ): Promise<'sent' | 'failed' | 'retried' | null> {
    if (retryAt !== null) {
      const next = sql`next_attempt_at = ${instant(retryAt)}, answer = ${JSON.stringify(answer)}`;
      return (await this.update(taken, next)) ? 'retried' : null;
    }
    const status = outcome === 'sent' ? 'sent' : 'failed';
    return (await this.update(taken, ended(status, answer, now))) ? status : null;
  }

  /** The attempt does not count: nothing was sent. */
  async release(taken: Taken, nextAttemptAt: number): Promise<void> {
    await this.update(taken, sql`attempts = attempts - 1, next_attempt_at = ${instant(nextAttemptAt)}`);
  }

  /** Ends rows whose last attempt was interrupted: its process has not counted the failure. Returns their number. */
  async endInterrupted(now: number): Promise<number> {
    const isInterrupted = sql<SqlBool>`next_attempt_at <= ${instant(now)} and attempts >= ${ATTEMPTS_MAX}`;
    return (await this.endWaiting(isInterrupted, 'the last attempt was interrupted', now)).length;
  }

  /** Removes at most 5,000 rows that ended before an instant; returns their number. */
  async prune(before: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(this.table)} where id in (
        select id from ${sql.table(this.table)} where finished_at < ${instant(before)} limit ${PRUNED_AT_ONCE})`.execute(
      this.db,
    );
    return Number(numAffectedRows);
  }

  /** Ends pending rows without an attempt; returns their ids. */
  protected async endWaiting(which: RawBuilder<SqlBool>, message: string, now: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      update ${sql.table(this.table)} set ${ended('failed', { status: null, message, ms: 0 }, now)}
       where status = 'pending' and ${which} returning id`.execute(this.db);
    return rows.map(({ id }) => id);
  }

  protected async update({ id, attempts }: Taken, changes: RawBuilder<unknown>): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(this.table)} set ${changes}
       where id = ${id} and status = 'pending' and attempts = ${attempts}`.execute(this.db);
    return numAffectedRows > 0n;
  }
}

export const ended = (
  status: 'sent' | 'failed' | 'skipped',
  answer: Answer | null,
  now: number,
): RawBuilder<unknown> =>
  sql`status = ${status}, next_attempt_at = null, finished_at = ${instant(now)},
      answer = ${answer && JSON.stringify(answer)}`;
