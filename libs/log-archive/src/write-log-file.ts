import type { Writable } from 'node:stream';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { chainOf } from './container.ts';
import { LOG_FILE, LOG_FRAMES } from './frames.ts';
import { LogCheck, type LogExtent, type LogSummary } from './log-check.ts';
import { seal } from './seal.ts';

export interface WriteOptions {
  /** Whether the stream is ended when all is written; standard output is not. Default: true. */
  end?: boolean;
  /** Of the format; 1 is for release 0.1.0. Default: the present one. */
  version?: 1 | 2;
  /** Receives how many more records were written. */
  onRecords?: (count: number) => void;
}

/**
 * Writes a cut of the intake log as a log file (docs/log-file.md "The file of a log"). The log is read no faster than the
 * stream takes it.
 * @param extent from `readExtent`
 * @throws LogContentError if the log has a hole; RecordsGoneError, LogUnavailableError; errors of the stream
 */
export async function writeLogFile(
  log: EventLog,
  extent: LogExtent,
  stream: Writable,
  { end = true, version = 2, onRecords = () => {} }: WriteOptions = {},
): Promise<LogSummary> {
  const check = new LogCheck(extent, chainOf({ version }));
  let summary: LogSummary | undefined;

  async function* frames(): AsyncGenerator<Buffer> {
    yield LOG_FRAMES.encode({ Header: extent });
    for (const [partition, to] of extent.ends.entries()) {
      for await (const records of log.read(INTAKE_TOPIC, partition, 0, to)) {
        for (const record of records) check.take(record);
        yield Buffer.concat(records.map((record) => LOG_FRAMES.encode({ Record: record })));
        onRecords(records.length);
      }
    }
    summary = check.finish();
    yield LOG_FRAMES.encode({ End: { records: summary.records, heads: summary.heads } });
  }

  await seal({ ...LOG_FILE, version }, frames, stream, end);
  return summary!;
}
