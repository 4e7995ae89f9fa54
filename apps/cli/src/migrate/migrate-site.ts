import { readFile } from 'node:fs/promises';
import { readClocks } from '#libs/clock';
import { createLogger } from '#libs/config';
import { type Database, migrate, openDatabase } from '#libs/database';
import { openLog } from '#libs/intake';
import { openEventLog } from '#libs/program';
import { failure, usageError } from '../cli-error.ts';
import { configOf } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

const CONNECTIONS_MAX = 4;

export interface MigrateSiteOptions {
  /** Path of the SQL that is run after the migrations. */
  roles?: string;
}

/**
 * @throws CliError exit 2 if DATABASE_URL is not set or the file of --roles does not exist; exit 1 if database or log
 * are unavailable or refuse
 */
export async function migrateSite(
  options: MigrateSiteOptions,
  { env, stdout, stderr }: Terminal,
): Promise<void> {
  const config = configOf(env);
  const { databaseUrl } = config;
  if (!databaseUrl) throw usageError('DATABASE_URL must name the database, as the owner of its tables');
  const database = openDatabase(databaseUrl, { max: CONNECTIONS_MAX });
  try {
    const roles = options.roles === undefined ? undefined : await readFile(options.roles, 'utf8');
    const applied = await migrate(database.pool, undefined, {
      onProgress: (sentence) => void stderr.write(`${sentence}\n`),
    });
    const log = await openEventLog(config, databaseUrl, createLogger('error'));
    try {
      const { logId } = await openLog(database.db, log, () => readClocks(database.db));
      const what = applied.length > 0 ? applied.join(', ') : 'nothing to do';
      if (roles !== undefined) await grantRights(database, roles);
      stdout.write(`Migrated   ${what}; log ${logId} is open\n`);
    } finally {
      await log.close();
    }
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    await database.close();
  }
}

async function grantRights({ pool }: Database, roles: string): Promise<void> {
  try {
    await pool.query(roles);
  } catch (error) {
    throw failure(`the tables are migrated, but the role rights are not: ${(error as Error).message}`);
  }
}
