import { join } from 'node:path';
import { ClockGuard } from '#libs/clock';
import {
  type Clock,
  type Config,
  ConfigError,
  createLogger,
  type DestinationStream,
  type Logger,
} from '#libs/config';
import { CLUSTER_FOLDER, type Database, migrate, openDatabase } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { openLog } from '#libs/intake';
import { isTracing, measureProcess, startTracing, traceFields } from '#libs/telemetry';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts';
import { watchSite } from './metrics/watch-site.ts';
import { openEventLog } from './open-event-log.ts';
import { Resources } from './resources.ts';
import { TracedLog } from './traced-log.ts';

const DATABASE_CONNECTIONS_MAX = 20;

/** The resources of every program of the service. */
export interface Program {
  config: Config;
  clock: Clock;
  trustedClock: ClockGuard;
  logger: Logger;
  database: Database;
  log: EventLog;
  /** Resources that are opened later close first. */
  resources: Resources;
  /** Resolves with a sentence when the embedded database ended and cannot be started again. */
  ended: Promise<string>;
}

export interface ProgramOptions {
  /** As metrics and traces call it. */
  name: string;
  config: Config;
  clock?: Clock;
  /** Receives the lines of the log instead of standard error. */
  logTo?: DestinationStream;
  /** Start the embedded PostgreSQL if DATABASE_URL is not set. Only one program can use it. */
  allowEmbeddedDatabase: boolean;
}

/**
 * Opens database and log, migrates, and ensures that the two belong together.
 * @throws Error with a sentence if the start must stop; nothing is left open
 */
export async function openProgram({
  name,
  config,
  clock = Date.now,
  logTo,
  allowEmbeddedDatabase,
}: ProgramOptions): Promise<Program> {
  measureProcess(name);
  const resources = new Resources();
  const endTracing = await startTracing(name, process.env);
  if (endTracing) resources.add(endTracing, (end) => end());
  const logger = createLogger(config.logLevel, logTo, endTracing && traceFields);
  try {
    const { url, ended } = await databaseOf(config, allowEmbeddedDatabase, logger, resources);
    const database = resources.add(openDatabase(url, { max: DATABASE_CONNECTIONS_MAX }), (opened) =>
      opened.close(),
    );
    resources.add(watchSite(config, database), async (end) => end());
    await migrate(database.pool, undefined, { onProgress: (sentence) => logger.info(sentence) });
    const known = await database.db.selectFrom('log_identity').select('log_id').executeTakeFirst();
    const trustedClock = resources.add(await ClockGuard.start({ db: database.db, clock, logger }), (guard) =>
      guard.close(),
    );
    const onStored = trustedClock.noteBroker.bind(trustedClock);
    const log = resources.add(
      await openEventLog(config, url, logger, { logId: known?.log_id, onStored }),
      (opened) => opened.close(),
    );
    await openLog(database.db, log, () => trustedClock.read());
    return { config, clock, trustedClock, logger, database, log: traced(log), resources, ended };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

/** Without tracing, the log is not wrapped. */
const traced = (log: EventLog): EventLog => (isTracing() ? new TracedLog(log) : log);

async function databaseOf(
  { databaseUrl, dataDir, postgresBin }: Config,
  allowEmbeddedDatabase: boolean,
  logger: Logger,
  resources: Resources,
): Promise<EmbeddedDatabase> {
  if (databaseUrl) return { url: databaseUrl, ended: new Promise(() => {}) };
  if (!allowEmbeddedDatabase)
    throw new ConfigError('DATABASE_URL must be set: only npm start includes an embedded PostgreSQL');
  return openEmbeddedDatabase({ directory: join(dataDir, CLUSTER_FOLDER), postgresBin }, logger, resources);
}
