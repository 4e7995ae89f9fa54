import { type Config, ConfigError, createLogger, readConfig } from '#libs/config';
import { type Database, openDatabase, runningInstanceUrl } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import {
  assertReachesFold,
  firstOpened,
  IMPORT_UNFINISHED,
  INTAKE_TOPIC,
  isBeingImported,
  isBeingRestored,
  isPartlyImported,
  RESTORE_UNFINISHED,
} from '#libs/intake';
import { openSecretKeys } from '#libs/key-wrapping';
import { connectEventLog } from '#libs/program';
import { EventSealer, type KeySource, TextOpener } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { Vault } from '#libs/vault';
import { failure, usageError } from './cli-error.ts';

const CONNECTIONS_MAX = 8;

/** The database and the log of a site, for commands that do not go over HTTP. */
export interface Site {
  databaseUrl: string;
  database: Database;
  log: EventLog;
  /** Seals the acts of commands, if SEAL_PERSONAL_TEXTS is set. */
  sealer: EventSealer;
  /** Opens what commands print. */
  opener: TextOpener;
  /** Looks up sealed names. */
  keys: Pick<KeySource, 'find'>;
  close(): Promise<void>;
}

/**
 * By DATABASE_URL, or the instance that runs on DATA_DIR now; on the log of KAFKA_BROKERS, or the one in the database
 * (R-CLI-2).
 * @param recordsLost whether the log may end before the position of the tables
 * @throws CliError exit 2 with what to set, also if the log is another one; exit 1 if the site is being restored, or its
 *   log imported; LogMismatchError if the log ends before the position of the tables
 */
export async function openSite(
  env: Record<string, string | undefined>,
  recordsLost?: boolean,
): Promise<Site> {
  const config = configOf(env);
  const url = await databaseUrlOf(config);
  if (!url) {
    throw usageError(
      'no service runs on DATA_DIR: start the service, or set DATABASE_URL (and KAFKA_BROKERS if the log is on Kafka)',
    );
  }
  return openSiteAt({ config, url, recordsLost });
}

/**
 * As `openSite`, on a database that the caller has found or started.
 * @throws as `openSite`
 */
export async function openSiteAt({
  config,
  url: databaseUrl,
  recordsLost = false,
}: {
  config: Config;
  url: string;
  recordsLost?: boolean | undefined;
}): Promise<Site> {
  const database = openDatabase(databaseUrl, { max: CONNECTIONS_MAX });
  try {
    if (await isBeingRestored(database.db)) throw failure(RESTORE_UNFINISHED);
    const { log_id, partitions: logPartitions } = await identityOf(database);
    const log = connectEventLog({ ...config, logPartitions }, databaseUrl, createLogger('error'), {
      logId: log_id,
    });
    await assertOwn(database, log, log_id, config, recordsLost);
    const close = async () => {
      await log.close();
      await database.close();
    };
    const keys = subjectKeysOf(config, database);
    const sealer = new EventSealer(config.sealPersonalTexts ? keys : null, config.sealMachines);
    const opener = new TextOpener(keys, () => {});
    return { databaseUrl, database, log, sealer, opener, keys, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * A command on another log than the database was folded from would replace its tables, or append to that log. After a
 * move to Kafka, the log in the database has the same id, but ends before the tables: a backup of it would lack all that
 * was stored since.
 * @throws CliError with the log closed: exit 1 if it is being imported, exit 2 with what to set if it is another one;
 *   LogMismatchError if it ends before the tables
 */
async function assertOwn(
  { db }: Database,
  log: EventLog,
  logId: string,
  { kafkaBrokers }: Config,
  recordsLost: boolean,
): Promise<void> {
  try {
    if (await isPartlyImported(db, log)) throw failure(IMPORT_UNFINISHED);
    const opened = await firstOpened(log, await log.ends(INTAKE_TOPIC));
    if (opened?.logId !== logId) {
      throw usageError(
        `the database belongs to log ${logId}, but the log in ${kafkaBrokers ? 'KAFKA_BROKERS' : 'the database'} ` +
          `${opened ? `is ${opened.logId}` : 'does not begin with an identity'}: set KAFKA_BROKERS of this site, or unset it if the log is in the database`,
      );
    }
    if (!recordsLost) await assertReachesFold(db, log);
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** The secret of the site is read at the first use: most commands need none. */
function subjectKeysOf(config: Config, { db }: Database): KeySource {
  let opened: Promise<SubjectKeys> | undefined;
  const keys = () => {
    opened ??= openSecretKeys(config, { mayMake: false }).then(
      (secrets) => new SubjectKeys(db, new Vault(secrets)),
    );
    return opened;
  };
  return {
    obtain: async (names) => (await keys()).obtain(names),
    store: async (named) => (await keys()).store(named),
    find: async (names) => (await keys()).find(names),
    read: async (subjects, onDamaged) => (await keys()).read(subjects, onDamaged),
  };
}

/**
 * DATABASE_URL, or the address of the instance that runs on DATA_DIR now; null if none does.
 * @throws CliError exit 2 if one does and its database cannot be reached from here
 */
export async function databaseUrlOf({ databaseUrl, dataDir }: Config): Promise<string | null> {
  return (
    databaseUrl ??
    runningInstanceUrl(dataDir).catch((error: Error) => {
      throw usageError(error.message);
    })
  );
}

/** @throws CliError exit 2 if a variable has a value that cannot be */
export function configOf(env: Record<string, string | undefined>): Config {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(error.message);
    throw error;
  }
}

/** @throws CliError if the database was never opened by the service */
async function identityOf({ db }: Database): Promise<{ log_id: string; partitions: number }> {
  const identity = await db
    .selectFrom('log_identity')
    .select(['log_id', 'partitions'])
    .executeTakeFirst()
    .catch((error: { code?: string }) => {
      if (error.code === UNDEFINED_TABLE) return undefined;
      throw error;
    });
  if (!identity && (await isBeingImported(db))) throw failure(IMPORT_UNFINISHED);
  if (!identity) throw usageError('the database contains no data of this service: start the service first');
  return identity;
}

const UNDEFINED_TABLE = '42P01';
