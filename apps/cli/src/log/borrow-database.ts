import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#libs/config';
import { CLUSTER_FOLDER, startEmbeddedPostgres } from '#libs/database';
import { usageError } from '../cli-error.ts';
import { undoneOnInterruption } from '../interruption.ts';
import { configOf, databaseUrlOf } from '../site.ts';
import { assertSiteUser } from '../site-user.ts';

/** The database of a site for the length of a command. */
export interface BorrowedDatabase {
  config: Config;
  url: string;
  /** Stops the processes that were started for the command. */
  giveBack(): Promise<void>;
}

/**
 * DATABASE_URL, or the instance that runs on DATA_DIR now; if the service is stopped, its embedded PostgreSQL,
 * started only for this command: a log is moved while nothing is appended to it.
 * @param mayMake whether DATA_DIR may get a PostgreSQL that it does not have yet
 * @throws CliError exit 2 with what to set, or the user to run it as
 */
export async function borrowDatabase(
  env: Record<string, string | undefined>,
  { mayMake }: { mayMake: boolean },
): Promise<BorrowedDatabase> {
  const config = configOf(env);
  const url = await databaseUrlOf(config);
  if (url) return { config, url, giveBack: async () => {} };
  await assertSiteUser(config);
  const directory = join(config.dataDir, CLUSTER_FOLDER);
  if (!mayMake && !(await exists(directory))) {
    throw usageError(
      `no service has run on DATA_DIR (${config.dataDir}): set DATA_DIR, or DATABASE_URL (and KAFKA_BROKERS if the log is on Kafka)`,
    );
  }
  const { postgresBin } = config;
  const starting = startEmbeddedPostgres({ directory, postgresBin, log: () => {} });
  // From the first moment on: PostgreSQL must not outlive an incomplete start.
  const giveBack = undoneOnInterruption(async () => {
    await (await starting.catch(() => undefined))?.stop();
  });
  const started = await starting.catch((error: Error): never => {
    throw usageError(error.message);
  });
  return { config, url: started.url, giveBack };
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
