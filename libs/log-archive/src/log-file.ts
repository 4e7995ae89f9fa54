import type { StoredRecord } from '#libs/event-log';
import type { Chain } from '#libs/intake';
import { type Container, chainOf, openContainer } from './container.ts';
import { type Frame, LOG_FILE, LOG_FRAMES } from './frames.ts';
import { LogCheck, type LogExtent, type LogSummary, placeText } from './log-check.ts';
import { LogContentError } from './log-content-error.ts';
import { readFrames } from './read-frames.ts';

const PARTITIONS_MAX = 1_024;

/** A log in a file (docs/log-file.md "The file of a log"). It is read in pieces: memory does not grow with it. */
export class LogFile {
  private constructor(
    private readonly container: Container,
    /** As its header says; true once `records` or `verify` has ended. */
    readonly extent: LogExtent,
  ) {}

  /**
   * Reads only the header.
   * @throws LogContentError if it is not a log file, of another format version, or damaged there
   * @throws Error of the file system if it cannot be read
   */
  static async open(path: string): Promise<LogFile> {
    const container = await openContainer(path, LOG_FILE);
    for await (const { extent } of read(container)) return new LogFile(container, extent);
    throw new LogContentError('is damaged in its header: it is empty');
  }

  get records(): number {
    return this.extent.ends.reduce((sum, end) => sum + end, 0);
  }

  /**
   * All records, by partition and in the order of offsets, in bounded batches.
   * @throws LogContentError at the first place that is damaged, missing or too much; some damage shows at the end only
   */
  async *batches(): AsyncGenerator<StoredRecord[]> {
    for await (const { records } of read(this.container)) if (records.length > 0) yield records;
  }

  /**
   * Reads all of it.
   * @param onRecords receives how many more were read
   * @throws LogContentError as `batches`
   */
  async verify(onRecords: (count: number) => void = () => {}): Promise<LogSummary> {
    let last: Piece | undefined;
    for await (const piece of read(this.container)) {
      onRecords(piece.records.length);
      last = piece;
    }
    return last!.summary!;
  }
}

interface Piece {
  extent: LogExtent;
  records: StoredRecord[];
  /** With the last piece. */
  summary?: LogSummary;
}

async function* read(container: Container): AsyncGenerator<Piece> {
  const reading: Reading = { chain: chainOf(container) };
  for await (const frames of readFrames(container, LOG_FRAMES, () => whereOf(reading))) {
    const records = frames.flatMap((frame) => take(reading, frame));
    yield { extent: reading.extent!, records };
  }
  if (!reading.summary) throw new LogContentError(`is damaged ${whereOf(reading)}: it is cut off there`);
  yield { extent: reading.extent!, records: [], summary: reading.summary };
}

/** How far a file was read. */
interface Reading {
  chain: Chain;
  extent?: LogExtent;
  check?: LogCheck;
  summary?: LogSummary;
}

function whereOf({ check }: Reading): string {
  if (!check) return 'in its header';
  return check.next ? `from ${placeText(check.next)} on` : 'after its last record';
}

/** The record of a frame, if it is one. */
function take(reading: Reading, frame: Frame): StoredRecord[] {
  if (!reading.check) {
    reading.extent = extentOf(frame);
    reading.check = new LogCheck(reading.extent, reading.chain);
    return [];
  }
  if (reading.summary || 'Header' in frame) {
    throw new LogContentError(`is damaged ${whereOf(reading)}: the data that follows is not a record`);
  }
  if ('Record' in frame) {
    const record = { ...frame.Record, headers: { ...frame.Record.headers } };
    reading.check.take(record);
    return [record];
  }
  const summary = reading.check.finish();
  assertEnd(frame.End, summary);
  reading.summary = summary;
  return [];
}

function assertEnd(end: { records: number; heads: Buffer[] }, { records, heads }: LogSummary): void {
  const other = heads.findIndex((head, partition) => !end.heads[partition]?.equals(head));
  if (other >= 0) {
    throw new LogContentError(`is damaged: the chain of partition ${other} does not match its end`);
  }
  if (end.records !== records || end.heads.length !== heads.length) {
    throw new LogContentError(`is damaged at its end: it does not list the ${records} records before it`);
  }
}

function extentOf(frame: Frame): LogExtent {
  if (!('Header' in frame)) throw new LogContentError('is damaged in its header: the header is missing');
  const { logId, ends } = frame.Header;
  if (ends.length < 1 || ends.length > PARTITIONS_MAX || ends.some((end) => end < 1)) {
    throw new LogContentError(
      `is damaged in its header: it must name 1 to ${PARTITIONS_MAX} partitions, each with a record`,
    );
  }
  return { logId, ends: [...ends] };
}
