import { LogFile } from '#libs/log-archive';
import { fileLog, type ReadableLog, siteLog } from '#libs/replay';
import { borrowDatabase } from '../log/borrow-database.ts';
import { ratedPhase } from '../log/rated-phase.ts';
import { createProgress } from '../progress.ts';
import { openSite } from '../site.ts';
import type { Terminal } from '../terminal.ts';
import { knownFailure } from './known-failure.ts';

export interface LogChoice {
  /** A file of `posture export-log`; left out: the site's own log. */
  file: string | undefined;
  /** What is done with the records, for the progress on stderr. */
  title: string;
  /** Without progress: the output is one JSON document, or the screen shows how far it is. */
  isSilent: boolean;
}

/**
 * Opens a log for the length of a piece of work: the one in a file, without any database or server, or the one of the
 * site that the environment names (`borrowDatabase`), whose tables are not read.
 * @throws CliError exit 2 where log, file or instant are not what they must be, exit 1 where something is out of reach
 */
export async function withLog<T>(
  choice: LogChoice,
  terminal: Terminal,
  work: (log: ReadableLog) => Promise<T>,
): Promise<T> {
  try {
    return choice.file === undefined
      ? await withSiteLog(choice, terminal, work)
      : await withFileLog(choice.file, choice, terminal, work);
  } catch (error) {
    throw knownFailure(choice.file ?? 'the log', error);
  }
}

async function withFileLog<T>(
  path: string,
  choice: LogChoice,
  terminal: Terminal,
  work: (log: ReadableLog) => Promise<T>,
): Promise<T> {
  const file = await LogFile.open(path);
  return withProgress(choice, terminal, async (progress) => work(fileLog(file, progress(file.records))));
}

async function withSiteLog<T>(
  choice: LogChoice,
  terminal: Terminal,
  work: (log: ReadableLog) => Promise<T>,
): Promise<T> {
  const { url, giveBack } = await borrowDatabase(terminal.env, { mayMake: false });
  try {
    const site = await openSite({ ...terminal.env, DATABASE_URL: url });
    try {
      return await withProgress(choice, terminal, async (progress) => {
        let told: (count: number) => void = () => {};
        const log = await siteLog(site.log, (count) => told(count));
        told = progress(log.extent.ends.reduce((sum, end) => sum + end, 0));
        return work(log);
      });
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
