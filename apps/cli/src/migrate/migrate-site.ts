import { createLogger } from '#libs/config';
import { migrate, openDatabase } from '#libs/database';
import { openLog } from '#libs/intake';
import { openEventLog } from '#libs/program';
import { usageError } from '../cli-error.ts';
import { configOf } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

const CONNECTIONS_MAX = 4;

/** @throws CliError exit 2 where DATABASE_URL is not set; exit 1 where database or log are away or refuse */
export async function migrateSite({ env, stdout }: Terminal): Promise<void> {
  const config = configOf(env);
  const { databaseUrl } = config;
  if (!databaseUrl) throw usageError('DATABASE_URL must name the database, as the owner of its tables');
  const database = openDatabase(databaseUrl, { max: CONNECTIONS_MAX });
  try {
    const applied = await migrate(database.pool);
    const log = await openEventLog(config, databaseUrl, createLogger('error'));
    try {
      const { logId } = await openLog(database.db, log, Date.now());
      const what = applied.length > 0 ? applied.join(', ') : 'nothing to do';
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
