import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { FIRST_LINE, newChecksum } from './container.ts';
import { encodeFrame } from './frames.ts';
import { LogCheck, type LogExtent, type LogSummary } from './log-check.ts';

export interface WriteOptions {
  /** Whether the stream is ended when all is written; standard output is not. Default: true. */
  end?: boolean;
  /** Told how many more records were written. */
  onRecords?: (count: number) => void;
}

/**
 * Writes a cut of the intake log as a log file (docs/log-file.md "The file"). The log is read no faster than the
 * stream takes it.
 * @param extent from `readExtent`
 * @throws LogContentError where the log has a hole; RecordsGoneError, LogUnavailableError; errors of the stream
 */
export async function writeLogFile(
  log: EventLog,
  extent: LogExtent,
  stream: Writable,
  { end = true, onRecords = () => {} }: WriteOptions = {},
): Promise<LogSummary> {
  const check = new LogCheck(extent);
  let summary: LogSummary | undefined;

  async function* frames(): AsyncGenerator<Buffer> {
    yield encodeFrame({ Header: extent });
    for (const [partition, to] of extent.ends.entries()) {
      for await (const records of log.read(INTAKE_TOPIC, partition, 0, to)) {
        for (const record of records) check.take(record);
        yield Buffer.concat(records.map((record) => encodeFrame({ Record: record })));
        onRecords(records.length);
      }
    }
    summary = check.finish();
    yield encodeFrame({ End: { records: summary.records, heads: summary.heads } });
  }

  await pipeline(frames, createGzip(), sealed, stream, { end });
  return summary!;
}

/** With the first line before what is packed, and the checksum of all that behind it. */
async function* sealed(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const checksum = newChecksum().update(FIRST_LINE);
  yield FIRST_LINE;
  for await (const chunk of packed) {
    checksum.update(chunk);
    yield chunk;
  }
  yield checksum.digest();
}
