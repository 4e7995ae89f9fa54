import { setTimeout } from 'node:timers/promises';
import type { Logger } from '#libs/config';
import { type EmbeddedPostgres, isNoRoom, isSerious, startEmbeddedPostgres } from '#libs/database';
import type { Resources } from './resources.ts';

const RESTART_DELAY_MIN_MS = 1_000;
const RESTART_DELAY_MAX_MS = 30_000;
/** Restarts in a row that a server may need for another reason than a full disk. */
const RESTARTS_MAX = 5;
/** One that ran for so long has recovered. */
const RECOVERED_MS = 60_000;

/** An embedded PostgreSQL for a program, restarted when it ends. */
export interface EmbeddedDatabase {
  url: string;
  /** Resolves with a sentence when it ended and cannot be started again. */
  ended: Promise<string>;
}

/** Origin of the programs, as logged. */
const NAMED_BY: Record<EmbeddedPostgres['programs']['origin'], string> = {
  setting: 'POSTGRES_BIN',
  system: 'the system',
  npm: 'npm',
};

/**
 * Starts the PostgreSQL of `directory`, and restarts it after 1 s, then 2 s, up to 30 s, when it ends by itself: without
 * end while its disk is full, otherwise five times in a row.
 * @throws Error with a sentence if the first start fails
 */
export async function openEmbeddedDatabase(
  { directory, postgresBin }: { directory: string; postgresBin: string | undefined },
  logger: Logger,
  resources: Resources,
): Promise<EmbeddedDatabase> {
  const postgres = await startEmbeddedPostgres({
    directory,
    postgresBin,
    log: (line) => logger[isSerious(line) ? 'error' : 'debug']({ context: 'PostgreSQL' }, line),
  });
  reportPrograms(postgres, logger);
  const stopping = new AbortController();
  const ended = keepRunning(postgres, directory, logger, stopping.signal);
  resources.add(postgres, (started) => {
    stopping.abort();
    return started.stop();
  });
  return { url: postgres.url, ended };
}

function reportPrograms({ programs, skipped }: EmbeddedPostgres, logger: Logger): void {
  for (const line of skipped) logger.warn(line);
  const { version, folder, origin } = programs;
  logger.info(`PostgreSQL ${version} is running from ${folder} (${NAMED_BY[origin]})`);
}

async function keepRunning(
  postgres: EmbeddedPostgres,
  directory: string,
  logger: Logger,
  stopping: AbortSignal,
): Promise<string> {
  let attempts = new Attempts();
  for (;;) {
    const begun = performance.now();
    await postgres.ended;
    if (performance.now() - begun > RECOVERED_MS) attempts = new Attempts();
    let why: string | null = postgres.reasons.join(' ') || 'it gave no reason';
    while (why !== null) {
      if (stopping.aborted) return never();
      const delayMs = attempts.nextAfter(why);
      if (delayMs === null) return `PostgreSQL in ${directory} exited and does not restart: ${why}`;
      const remedy = isNoRoom(why) ? ` Free space on the disk of ${directory}.` : '';
      logger.error(`PostgreSQL in ${directory} exited: ${why}.${remedy} It restarts in ${delayMs / 1_000} s`);
      await setTimeout(delayMs, undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return never();
      why = await restart(postgres);
    }
    logger.info(`PostgreSQL in ${directory} is running again`);
  }
}

/** Null when it runs, otherwise why it does not. */
const restart = (postgres: EmbeddedPostgres): Promise<string | null> =>
  postgres.restart().then(
    () => null,
    (error: Error) => error.message,
  );

/** The restarts in a row. */
class Attempts {
  private delayMs = RESTART_DELAY_MIN_MS;
  private left = RESTARTS_MAX;

  /** How long to wait for the next one, in ms; null when there is none. */
  nextAfter(why: string): number | null {
    if (!isNoRoom(why) && this.left-- === 0) return null;
    const { delayMs } = this;
    this.delayMs = Math.min(2 * delayMs, RESTART_DELAY_MAX_MS);
    return delayMs;
  }
}

/** The program is closing: no reader for a message. */
const never = (): Promise<never> => new Promise(() => {});
