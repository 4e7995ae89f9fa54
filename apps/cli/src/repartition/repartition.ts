import { resolve } from 'node:path';
import { Backup } from '#libs/backup';
import { type RepartitionedBackup, repartitionBackup } from '#libs/repartition';
import { newBackup } from '../backup/new-backup.ts';
import { Folding } from '../folding.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

export interface RepartitionOptions {
  /** Of the new log. */
  partitions: number;
  /** Path of the backup's file of keys; unset: in its directory. */
  keys?: string;
  json?: boolean;
}

/** @throws CliError exit 2 if a directory or the number of partitions is invalid; exit 1 if the disk is full */
export async function repartition(
  source: string,
  directory: string,
  { partitions, keys, json = false }: RepartitionOptions,
  terminal: Terminal,
): Promise<void> {
  const { from, to } = await newBackup(source, directory);
  const placing = new Folding(terminal, json, 'Placing');
  try {
    const old = await Backup.open(from, { keysFile: keys && resolve(keys) });
    const done = await repartitionBackup(old, to, partitions, placing.reach);
    placing.end();
    terminal.stdout.write(json ? `${JSON.stringify({ ok: true, ...done })}\n` : summaryLine(done, directory));
  } catch (error) {
    throw siteFailure(error as Error, directory);
  } finally {
    placing.end();
  }
}

const summaryLine = (
  { records, written, partitions, logId }: RepartitionedBackup,
  directory: string,
): string =>
  `Placed     ${records} records in ${partitions} partitions as log ${logId}${written < records ? `; ${records - written} were complete` : ''}\n` +
  `Next       LOG_PARTITIONS=${partitions} posture restore ${directory}, into a new site; start it with LOG_PARTITIONS=${partitions}\n`;
