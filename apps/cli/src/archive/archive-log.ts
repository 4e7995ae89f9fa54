import { resolve } from 'node:path';
import { CheckpointFile, hasSegments } from '#libs/log-archive';
import { archiveSite } from '#libs/replay';
import { Folding } from '../folding.ts';
import { configOf, openSite, type Site } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import { assertSiteUser } from '../site-user.ts';
import type { Terminal } from '../terminal.ts';

export interface ArchiveOptions {
  /** Path of the checkpoint. */
  to: string;
  json?: boolean;
}

/**
 * @throws CliError exit 2 if checkpoint, segments or log are invalid, the fold has not reached the checkpoint, or the site belongs to another user;
 * exit 1 if something is busy or unreachable
 */
export async function archiveLog(
  directory: string,
  { to, json = false }: ArchiveOptions,
  terminal: Terminal,
): Promise<void> {
  const config = configOf(terminal.env);
  await assertSiteUser(config);
  const folder = resolve(directory);
  const moving = new Folding(terminal, json, 'Archiving');
  let site: Site | undefined;
  try {
    const file = await CheckpointFile.open(to);
    await file.verify();
    // After an interrupted first archive, the records that it removed are in this folder, which LOG_ARCHIVE does not name yet.
    const LOG_ARCHIVE = (await hasSegments(folder)) ? folder : config.logArchive;
    site = await openSite({ ...terminal.env, LOG_ARCHIVE });
    const archived = await archiveSite(site.database, site.log, file, folder, moving.reach);
    moving.end();
    terminal.stdout.write(
      json
        ? `${JSON.stringify({ ok: true, logId: file.logId, directory: folder, ...archived })}\n`
        : `Archived   ${archived.written} records of log ${file.logId}; ${archived.removed} were removed from the log\n${setText(folder, config.logArchive)}`,
    );
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    moving.end();
    await site?.close();
  }
}

const setText = (folder: string, logArchive: string): string =>
  folder === logArchive ? '' : `Set        LOG_ARCHIVE=${folder} for every program and command\n`;
