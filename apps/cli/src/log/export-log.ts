import type { Writable } from 'node:stream';
import type { EventLog } from '#libs/event-log';
import {
  type LogSummary,
  readExtent,
  type WriteOptions,
  writeLogFile,
  writeNewFile,
} from '#libs/log-archive';
import { failure } from '../cli-error.ts';
import { createProgress } from '../progress.ts';
import { openSiteAt } from '../site.ts';
import type { Terminal } from '../terminal.ts';
import { borrowDatabase } from './borrow-database.ts';
import { logFailure } from './log-failure.ts';
import { assertNew } from './new-file.ts';
import { ratedPhase } from './rated-phase.ts';

const STANDARD_OUTPUT = '-';

/**
 * A file appears under its name when it is complete and on the disk.
 * @param version of the format
 * @throws CliError exit 2 if the file exists or the log has a hole, exit 1 if the log is unreachable
 */
export async function exportLog(file: string, version: 1 | 2, terminal: Terminal): Promise<void> {
  const isFile = file !== STANDARD_OUTPUT;
  if (isFile) await assertNew(file);
  const { config, url, giveBack } = await borrowDatabase(terminal.env, { mayMake: false });
  try {
    const site = await openSiteAt({ config, url });
    try {
      const summary = isFile
        ? await writeNewFile(file, (stream) => write(site.log, stream, { version, end: true }, terminal))
        : await write(site.log, terminal.stdout as Writable, { version, end: false }, terminal);
      (isFile ? terminal.stdout : terminal.stderr).write(summaryLine(summary));
    } finally {
      await site.close();
    }
  } catch (error) {
    throw logFailure('the log', error);
  } finally {
    await giveBack();
  }
}

async function write(
  log: EventLog,
  stream: Writable,
  options: Pick<WriteOptions, 'end' | 'version'>,
  terminal: Terminal,
): Promise<LogSummary> {
  const extent = await readExtent(log);
  const total = extent.ends.reduce((sum, next) => sum + next, 0);
  const phase = ratedPhase(createProgress(terminal.stderr, false), terminal, 'Exporting', total);
  try {
    return await writeLogFile(log, extent, stream, { ...options, onRecords: phase.add });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw failure('standard output was closed');
    throw error;
  } finally {
    phase.end();
  }
}

const summaryLine = ({ logId, records, ends }: LogSummary): string =>
  `Exported   ${records} records of log ${logId}, ${ends.length} partitions\n`;
