import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import pTimeout from 'p-timeout';
import type { Schema } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';

export type DependencyState = 'up' | 'down';

/** Checks of what a process depends on, and which of them it cannot do its own work without. */
export interface Readiness {
  needed: string[];
  checks: Record<string, () => Promise<unknown>>;
}

export const READINESS = Symbol('READINESS');

const CHECK_MS_MAX = 2_000;

/** The checks that every program has: the log gives its ends and takes records, the database answers. */
export const commonChecks = (log: EventLog, db: Kysely<Schema>): Readiness['checks'] => ({
  log: () => Promise.all([log.ends(INTAKE_TOPIC), log.assertAppendable()]),
  database: () => sql`select 1`.execute(db),
});

/**
 * Runs every check at once; one that fails, or takes more than 2 s, is down.
 * @param onDown called with the name and the reason of each that is down
 */
export async function checkAll(
  { checks }: Readiness,
  onDown: (name: string, why: string) => void = () => {},
): Promise<Record<string, DependencyState>> {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const why = await failureOf(check);
      if (why !== null) onDown(name, why);
      return [name, why === null ? 'up' : 'down'] as const;
    }),
  );
  return Object.fromEntries(states);
}

async function failureOf(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await pTimeout(check(), { milliseconds: CHECK_MS_MAX });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
