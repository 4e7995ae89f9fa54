import { resolve } from 'node:path';
import { backUpSite } from '#libs/backup';
import { assertTablesOfThisVersion } from '#libs/database';
import { withDetail } from '../cli-error.ts';
import { Folding } from '../folding.ts';
import { borrowDatabase } from '../log/borrow-database.ts';
import { writeMetricsFile } from '../metrics-file.ts';
import { openSiteAt } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';
import { wrappingKeysOf } from './wrapping-keys.ts';

export interface BackupOptions {
  /** Path of the file of keys; unset: in the directory of the backup. */
  keys?: string;
  /** Path of the metrics file for Prometheus; unset: no file is written. */
  metricsFile?: string;
  json?: boolean;
}

/**
 * Of a running site, or a stopped one: its embedded PostgreSQL is then started only for the backup.
 * @throws CliError exit 2 if the directory contains something else, the log has a hole, or the metrics of a backup that
 *   was made cannot be written; exit 1 if something is busy or unreachable
 */
export async function backUp(
  directory: string,
  { keys, metricsFile, json = false }: BackupOptions,
  terminal: Terminal,
): Promise<void> {
  const folder = resolve(directory);
  const copying = new Folding(terminal, json, 'Backing up');
  const { config, url, giveBack } = await borrowDatabase(terminal.env, { mayMake: false });
  try {
    const site = await openSiteAt({ config, url });
    try {
      await assertTablesOfThisVersion(site.database.pool);
      const wrappingBefore = await wrappingKeysOf(site.database.db);
      const made = await backUpSite(site.database, site.log, folder, {
        keysFile: keys === undefined ? undefined : resolve(keys),
        onCopied: copying.reach,
      });
      copying.end();
      const { logId, records, written, positions } = made;
      // A rotation at the same time: the backup has keys of either.
      const wrappingKeys = [
        ...new Set([...wrappingBefore, ...(await wrappingKeysOf(site.database.db))]),
      ].sort();
      const told = [
        `Backed up  ${records} records of log ${logId}, ${positions.length} partitions; ${written} are new in ${folder}`,
        ...(wrappingKeys.length > 0
          ? [`Keys       they are encrypted with ${wrappingKeys.join(', ')} (posture keys status)`]
          : []),
      ].join('\n');
      if (metricsFile !== undefined) {
        await writeMetrics(metricsFile, records).catch((error: unknown) => {
          throw withDetail(error, told);
        });
      }
      terminal.stdout.write(
        json ? `${JSON.stringify({ ok: true, directory: folder, ...made, wrappingKeys })}\n` : `${told}\n`,
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

const writeMetrics = (file: string, records: number): Promise<void> =>
  writeMetricsFile(file, [
    {
      name: 'posture_backup_finished_timestamp_seconds',
      help: 'Time at which the last complete posture backup finished',
      value: Date.now() / 1000,
    },
    {
      name: 'posture_backup_records',
      help: 'Log records in the last complete posture backup',
      value: records,
    },
  ]);
