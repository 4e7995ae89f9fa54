import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { DEFAULT_SETTINGS, ORGANIZATION_KEY, settingsInForce } from '#libs/domain';

/** Before anybody has set it. */
const { clockSkewSecondsMax: SKEW_SECONDS_MAX } = settingsInForce(DEFAULT_SETTINGS);

/** The times of the database, in epoch milliseconds. */
export interface DatabaseTimes {
  /** Its own clock, when it was asked. */
  now: number;
  /** The latest folded time on the log; null: the log is new. */
  logClock: number | null;
  /** When a program last trusted its clocks; null: never. */
  lastTrusted: number | null;
  /** The time that an operator last confirmed, unless it is now far ahead; null: none. */
  confirmed: number | null;
  /** The largest permitted difference between clocks. */
  boundMs: number;
}

interface Row extends Omit<DatabaseTimes, 'boundMs'> {
  bound: number | null;
}

export async function readDatabaseTimes(db: Kysely<Schema>): Promise<DatabaseTimes> {
  const { rows } = await sql<Row>`
    select clock_timestamp() as now,
           (select max(clock) from projection_positions where clock > 'epoch') as "logClock",
           (select at from trusted_time) as "lastTrusted",
           (select max(clock) from clock_confirmations
             where clock < clock_timestamp() + interval '1 hour') as confirmed,
           (select (state -> 'settings' ->> 'clockSkewSecondsMax')::int from organization
             where entity_key = ${ORGANIZATION_KEY}) as bound`.execute(db);
  const { bound, ...times } = rows[0]!;
  return { ...times, boundMs: (bound ?? SKEW_SECONDS_MAX) * 1000 };
}

/** Trusted times from the database, including an operator's confirmation. */
export const trustedTimes = ({ logClock, lastTrusted, confirmed }: DatabaseTimes): number[] =>
  [logClock, lastTrusted, confirmed].filter((time) => time !== null);

/** Notes that a program trusts its clocks now; epoch milliseconds. */
export async function noteTrusted(db: Kysely<Schema>, now: number): Promise<void> {
  const at = new Date(now);
  await db
    .insertInto('trusted_time')
    .values({ at })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ at }))
    .execute();
}
