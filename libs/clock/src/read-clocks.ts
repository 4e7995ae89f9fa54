import { uptime } from 'node:os';
import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import type { Reading } from '#libs/domain';
import { type Distrust, judgeClocks } from './judge-clocks.ts';
import { readDatabaseTimes, trustedTimes } from './read-database-times.ts';
import { ClockError } from './trusted-clock.ts';

export interface ReadClocksOptions {
  /** Problems that the caller corrects, so they do not stop it. */
  except?: Distrust['cause'];
}

/**
 * One reading for a command, which compares as a program does at its start.
 * @throws ClockError if the clocks are not to be trusted
 */
export async function readClocks(db: Kysely<Schema>, { except }: ReadClocksOptions = {}): Promise<Reading> {
  const before = Date.now();
  const times = await readDatabaseTimes(db);
  const own = Date.now();
  const sample = {
    own,
    uptime: uptime() * 1000,
    database: { min: before - times.now, max: own - times.now },
    broker: null,
    logClock: times.logClock,
    trusted: trustedTimes(times),
  };
  const { distrust } = judgeClocks({ anchor: null, shifted: null }, sample, times.boundMs);
  if (distrust && distrust.cause !== except) throw new ClockError(distrust.message);
  return { at: own, receivedAt: times.now };
}
