import { type Config, ConfigError, createLogger, readConfig } from '#libs/config';
import { type Database, openDatabase, runningInstanceUrl } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { connectEventLog } from '#libs/program';
import { usageError } from './cli-error.ts';

const CONNECTIONS_MAX = 8;

/** The database and the log of a site, for commands that do not go over HTTP. */
export interface Site {
  databaseUrl: string;
  database: Database;
  log: EventLog;
  close(): Promise<void>;
}

/**
 * By DATABASE_URL, or the instance that runs on DATA_DIR now; on the log of KAFKA_BROKERS, or the one in the database
 * (design "Configuration").
 * @throws CliError exit 2 with what to set
 */
export async function openSite(env: Record<string, string | undefined>): Promise<Site> {
  const config = configOf(env);
  const databaseUrl = config.databaseUrl ?? (await runningInstanceUrl(config.dataDir));
  if (!databaseUrl) {
    throw usageError(
      'no service runs on DATA_DIR here: start it, or set DATABASE_URL (and KAFKA_BROKERS where the log is on Kafka)',
    );
  }
  const database = openDatabase(databaseUrl, { max: CONNECTIONS_MAX });
  try {
    const logPartitions = await partitionsOf(database);
    const log = connectEventLog({ ...config, logPartitions }, databaseUrl, createLogger('error'));
    const close = async () => {
      await log.close();
      await database.close();
    };
    return { databaseUrl, database, log, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function configOf(env: Record<string, string | undefined>): Config {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(error.message);
    throw error;
  }
}

/** @throws CliError where the database was never opened by the service */
async function partitionsOf({ db }: Database): Promise<number> {
  const identity = await db
    .selectFrom('log_identity')
    .select('partitions')
    .executeTakeFirst()
    .catch((error: { code?: string }) => {
      if (error.code === UNDEFINED_TABLE) return undefined;
      throw error;
    });
  if (!identity) throw usageError('the database holds nothing of this service yet: start the service first');
  return identity.partitions;
}

const UNDEFINED_TABLE = '42P01';
