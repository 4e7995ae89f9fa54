import { resolve } from 'node:path';
import { CheckpointFile } from '#libs/log-archive';
import { archiveSite } from '#libs/replay';
import { Folding } from '../folding.ts';
import { openSite, type Site } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

export interface ArchiveOptions {
  /** Path of the checkpoint. */
  to: string;
  json?: boolean;
}

/**
 * @throws CliError exit 2 if checkpoint, segments or log are invalid, or the fold has not reached the checkpoint;
 * exit 1 if something is busy or unreachable
 */
export async function archiveLog(
  directory: string,
  { to, json = false }: ArchiveOptions,
  terminal: Terminal,
): Promise<void> {
  const folder = resolve(directory);
  const moving = new Folding(terminal, json, 'Archiving');
  let site: Site | undefined;
  try {
    const file = await CheckpointFile.open(to);
    await file.verify();
    site = await openSite(terminal.env);
    const archived = await archiveSite(site.database, site.log, file, folder, moving.reach);
    moving.end();
    terminal.stdout.write(
      json
        ? `${JSON.stringify({ ok: true, logId: file.logId, directory: folder, ...archived })}\n`
        : `Archived   ${archived.written} records of log ${file.logId}; ${archived.removed} were removed from the log\n${setText(folder, site)}`,
    );
  } catch (error) {
    throw siteFailure(error as Error, 'the log', folder);
  } finally {
    moving.end();
    await site?.close();
  }
}

const setText = (folder: string, { archive }: Site): string =>
  folder === archive ? '' : `Set        LOG_ARCHIVE=${folder} for every program and command\n`;
