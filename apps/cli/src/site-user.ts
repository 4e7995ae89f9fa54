import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Config } from '#libs/config';
import { instanceOwner } from '#libs/database';
import { usageError } from './cli-error.ts';

const run = promisify(execFile);
const ROOT = 0;

/**
 * As root, a command on the site of another user would write files that its service cannot read, and run PostgreSQL as a
 * third user.
 * @throws CliError exit 2 with the user to run it as
 */
export async function assertSiteUser({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  if (process.getuid?.() !== ROOT) return;
  const owner = (await instanceOwner(dataDir)) ?? ROOT;
  if (owner === ROOT) return;
  throw usageError(
    `DATA_DIR (${dataDir}) belongs to another user: run the command as that user (sudo -u ${await nameOf(owner)} …), not as root`,
  );
}

/** As sudo takes it, in a shell. */
const nameOf = (uid: number): Promise<string> =>
  run('id', ['-un', String(uid)]).then(
    ({ stdout }) => stdout.trim(),
    () => `'#${uid}'`,
  );
