import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import pTimeout from 'p-timeout';
import type { TrustedClock } from '#libs/clock';
import type { Schema } from '#libs/database';
import type { BatchServer, EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';

export type DependencyState = 'up' | 'down';

/** A check failed, for a reason that is not secret: every client of the health check can read it. */
export class NotReadyError extends Error {
  override name = 'NotReadyError';
}

/** The results of the checks. */
export interface CheckedReadiness {
  dependencies: Record<string, DependencyState>;
  /** Why each is down that is. */
  failures: Record<string, Error>;
}

/** Checks of a process's dependencies, and which of them are required for its work. */
export interface Readiness {
  needed: string[];
  checks: Record<string, () => Promise<unknown>>;
}

/** By the dependency of the health check that is down while they have stopped partitions. */
export type ConsumerServers = Partial<
  Record<'inbox' | 'partitions', readonly Pick<BatchServer, 'stopped'>[]>
>;

export const READINESS = Symbol('READINESS');

const CHECK_MS_MAX = 2_000;
const NO_ANSWER = `no answer within ${CHECK_MS_MAX / 1_000} seconds`;

/**
 * The checks that every program has: the log gives its ends and takes records, the database answers, the clocks are
 * trusted.
 */
export const commonChecks = (
  log: EventLog,
  db: Kysely<Schema>,
  clock: Pick<TrustedClock, 'distrust'>,
): Readiness['checks'] => ({
  log: () => Promise.all([log.ends(INTAKE_TOPIC), log.assertAppendable()]),
  database: () => sql`select 1`.execute(db),
  clock: async () => {
    if (clock.distrust) throw new NotReadyError(clock.distrust.message);
  },
});

/** @throws Error that names the partitions whose handler failed */
export function assertNoneStopped(servers: readonly Pick<BatchServer, 'stopped'>[]): void {
  const places = servers
    .flatMap(({ stopped }) => stopped)
    .flatMap(([topic, partitions]) => partitions.map((partition) => `${topic}/${partition}`));
  if (places.length > 0) throw new Error(`partitions ${places.join(', ')} are stopped`);
}

/** Runs every check at once; one that fails, or takes more than 2 s, is down. */
export async function checkAll({ checks }: Pick<Readiness, 'checks'>): Promise<CheckedReadiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await failureOf(check)] as const),
  );
  return {
    dependencies: Object.fromEntries(results.map(([name, failure]) => [name, failure ? 'down' : 'up'])),
    failures: Object.fromEntries(results.flatMap(([name, failure]) => (failure ? [[name, failure]] : []))),
  };
}

/** Null if the check succeeds in time. */
async function failureOf(check: () => Promise<unknown>): Promise<Error | null> {
  try {
    await pTimeout(check(), { milliseconds: CHECK_MS_MAX, message: NO_ANSWER });
    return null;
  } catch (error) {
    return error as Error;
  }
}
