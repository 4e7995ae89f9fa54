import { ConfigError } from '#libs/config';
import { assertTablesOfThisVersion, type Database, openDatabase } from '#libs/database';
import { isBeingRestored, RESTORE_UNFINISHED } from '#libs/intake';
import { openSecretKeys } from '#libs/key-wrapping';
import { Vault } from '#libs/vault';
import { failure, usageError } from '../cli-error.ts';
import { borrowDatabase } from '../log/borrow-database.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

const CONNECTIONS_MAX = 2;

/**
 * Works with the database and the wrapping keys of a site. The log is not needed.
 * @throws CliError exit 2 if the site or its secret is not found; exit 1 if something is unreachable, or the
 *   site is being restored or has the tables of another version
 */
export async function withKeys(
  { env }: Terminal,
  work: (db: Database['db'], vault: Vault, secrets: readonly Buffer[]) => Promise<void>,
): Promise<void> {
  const { config, url, giveBack } = await borrowDatabase(env, { mayMake: false });
  const database = openDatabase(url, { max: CONNECTIONS_MAX });
  try {
    if (await isBeingRestored(database.db)) throw failure(RESTORE_UNFINISHED);
    await assertTablesOfThisVersion(database.pool);
    const secrets = await openSecretKeys(config, { mayMake: false });
    await work(database.db, new Vault(secrets), secrets);
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(error.message);
    throw siteFailure(error as Error);
  } finally {
    await database.close();
    await giveBack();
  }
}
