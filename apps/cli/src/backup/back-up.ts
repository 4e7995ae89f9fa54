import { resolve } from 'node:path';
import { backUpSite } from '#libs/backup';
import { Folding } from '../folding.ts';
import { borrowDatabase } from '../log/borrow-database.ts';
import { openSite } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Of a running site, or a stopped one: its embedded PostgreSQL is then started for the backup alone.
 * @throws CliError exit 2 where the directory holds something else, or the log has a hole; exit 1 where something is busy
 * or out of reach
 */
export async function backUp(
  directory: string,
  { json = false }: { json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const folder = resolve(directory);
  const copying = new Folding(terminal, json, 'Backing up');
  const { url, giveBack } = await borrowDatabase(terminal.env, { mayMake: false });
  try {
    const site = await openSite({ ...terminal.env, DATABASE_URL: url });
    try {
      const made = await backUpSite(site.database, site.log, folder, copying.reach);
      copying.end();
      const { logId, records, written, positions } = made;
      terminal.stdout.write(
        json
          ? `${JSON.stringify({ ok: true, directory: folder, ...made })}\n`
          : `Backed up  ${records} records of log ${logId}, ${positions.length} partitions; ${written} are new in ${folder}\n`,
      );
    } finally {
      await site.close();
    }
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    copying.end();
    await giveBack();
  }
}
