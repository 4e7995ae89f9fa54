import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { readClocks } from './read-clocks.ts';
import { readDatabaseTimes, trustedTimes } from './read-database-times.ts';

/** An operator's word. */
export interface ClockConfirmation {
  /** Who gives it. */
  by: string;
  /** Why the clock is right. */
  reason: string;
}

/** The confirmed time, in epoch milliseconds. */
export interface ConfirmedClock {
  clock: number;
  /** The latest time that was trusted before; null: none. */
  lastTrusted: number | null;
}

/**
 * Records that the database's clock is right, however far it is ahead of the last trusted time; programs continue
 * within a second.
 * @throws ClockError if the clock of this process and the database's differ, or the log is ahead of them
 */
export async function confirmClock(
  db: Kysely<Schema>,
  { by, reason }: ClockConfirmation,
): Promise<ConfirmedClock> {
  const { receivedAt: clock } = await readClocks(db, { except: 'jump' });
  const past = trustedTimes(await readDatabaseTimes(db)).filter((time) => time <= clock);
  const lastTrusted = past.length > 0 ? Math.max(...past) : null;
  await db
    .insertInto('clock_confirmations')
    .values({
      clock: new Date(clock),
      last_trusted: lastTrusted === null ? null : new Date(lastTrusted),
      confirmed_by: by,
      reason,
    })
    .execute();
  return { clock, lastTrusted };
}
