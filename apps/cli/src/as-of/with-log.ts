import { LogFile } from '#libs/log-archive';
import { fileLog, foldedCorrections, type ReadableLog, siteLog } from '#libs/replay';
import { type KeySource, TextOpener } from '#libs/sealing';
import { borrowDatabase } from '../log/borrow-database.ts';
import { ratedPhase } from '../log/rated-phase.ts';
import { createProgress } from '../progress.ts';
import { openSiteAt, type Site } from '../site.ts';
import type { Terminal } from '../terminal.ts';
import { knownFailure } from './known-failure.ts';

export interface LogChoice {
  /** A file of `posture export-log`; omitted: the site's own log. */
  file: string | undefined;
  /** The verb for the records in the progress on stderr. */
  title: string;
  /** Without progress: the output is one JSON document, or the screen shows how far it is. */
  isSilent: boolean;
}

export type SealedNames = Pick<KeySource, 'find'>;

/**
 * Opens a log for a task: the one in a file, without any database or server, or that of the site in the environment
 * (`borrowDatabase`), of whose tables only the corrections of clocks are read.
 * @throws CliError exit 2 if log, file or instant are invalid, exit 1 if something is unreachable
 */
export async function withLog<T>(
  choice: LogChoice,
  terminal: Terminal,
  work: (log: ReadableLog, opener: TextOpener, keys: SealedNames) => Promise<T>,
): Promise<T> {
  try {
    return choice.file === undefined
      ? await withSiteLog(choice, terminal, work)
      : await withFileLog(choice.file, choice, terminal, work);
  } catch (error) {
    throw knownFailure(choice.file ?? 'the log', error);
  }
}

/** A file contains no keys: its sealed texts are unavailable. */
const NO_KEYS = { read: async () => new Map(), find: async () => new Map() };
const WITHOUT_KEYS = new TextOpener(NO_KEYS, () => {});

async function withFileLog<T>(
  path: string,
  choice: LogChoice,
  terminal: Terminal,
  work: (log: ReadableLog, opener: TextOpener, keys: SealedNames) => Promise<T>,
): Promise<T> {
  const file = await LogFile.open(path);
  return withProgress(choice, terminal, async (progress) =>
    work(fileLog(file, progress(file.records)), WITHOUT_KEYS, NO_KEYS),
  );
}

async function withSiteLog<T>(
  choice: LogChoice,
  terminal: Terminal,
  work: (log: ReadableLog, opener: TextOpener, keys: SealedNames) => Promise<T>,
): Promise<T> {
  return withBorrowedSite(terminal, (site) =>
    withProgress(choice, terminal, async (progress) => {
      let told: (count: number) => void = () => {};
      const corrections = () => foldedCorrections(site.database.db);
      const log = await siteLog(site.log, corrections, (count) => told(count));
      told = progress(log.extent.ends.reduce((sum, end) => sum + end, 0));
      return work(log, site.opener, site.keys);
    }),
  );
}

/**
 * Opens the site in the environment; its database may be started only for this (`borrowDatabase`).
 * @throws CliError exit 2 with what to set
 */
export async function withBorrowedSite<T>(
  { env }: Pick<Terminal, 'env'>,
  work: (site: Site) => Promise<T>,
): Promise<T> {
  const { config, url, giveBack } = await borrowDatabase(env, { mayMake: false });
  try {
    const site = await openSiteAt({ config, url });
    try {
      return await work(site);
    } finally {
      await site.close();
    }
  } finally {
    await giveBack();
  }
}

/** The progress begins when the work knows how many records there are. */
async function withProgress<T>(
  { title, isSilent }: LogChoice,
  terminal: Terminal,
  work: (progress: (total: number) => (count: number) => void) => Promise<T>,
): Promise<T> {
  let end = () => {};
  try {
    return await work((total) => {
      const phase = ratedPhase(createProgress(terminal.stderr, isSilent), terminal, title, total);
      end = phase.end;
      return phase.add;
    });
  } finally {
    end();
  }
}
