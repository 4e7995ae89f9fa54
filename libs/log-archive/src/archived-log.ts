import { type EventLog, ForwardingLog, RecordsGoneError, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { FileError } from './file-error.ts';
import type { StoredSegment } from './segment.ts';
import { readSegment } from './segment-file.ts';
import { type NamedSegment, segmentsOf } from './segment-folder.ts';

export interface ArchivedLogOptions {
  /** LOG_ARCHIVE; need not exist. */
  folder: string;
  /** Whose segments they must be; unset if it is not known yet: then all must be of one. */
  logId?: string;
}

/**
 * A log whose beginning may be in segments: the intake topic is read from offset 0 as if nothing had been moved, also
 * while records are. Everything else, such as the first remaining offset, is that of the log; a consumer follows only the log.
 */
export class ArchivedLog extends ForwardingLog {
  private logId: string | undefined;

  constructor(
    log: EventLog,
    private readonly options: ArchivedLogOptions,
  ) {
    super(log);
    this.logId = options.logId;
  }

  /**
   * As the port; reads segments if the log no longer has the records of the intake topic.
   * @throws RecordsGoneError if the archive does not have them either, with the variable to set
   * @throws FileError if a segment is damaged, of another log, or missing between two others
   */
  override read(topic: string, partition: number, from: number, to: number): AsyncIterable<StoredRecord[]> {
    if (topic !== INTAKE_TOPIC) return this.log.read(topic, partition, from, to);
    const ends = this.log.ends(topic);
    // It is awaited when the reading begins, which may be never.
    ends.catch(() => undefined);
    return this.readThrough(partition, from, to, ends);
  }

  private async *readThrough(
    partition: number,
    from: number,
    to: number,
    ends: Promise<number[]>,
  ): AsyncGenerator<StoredRecord[]> {
    const end = Math.min(to, (await ends)[partition] ?? to);
    let next = from;
    let previous: StoredSegment | undefined;
    while (next < end) {
      try {
        for await (const records of this.log.read(INTAKE_TOPIC, partition, next, end)) {
          yield records;
          next = records.at(-1)!.offset + 1;
        }
        return;
      } catch (error) {
        // It may also be moved while it is read.
        if (!(error instanceof RecordsGoneError)) throw error;
      }
      const named = await this.segmentWith(partition, next);
      const onHeader = (segment: StoredSegment) => {
        this.assertOurs(named, segment);
        assertFollows(named, segment, previous);
        previous = segment;
      };
      for await (const records of readSegment(named, onHeader)) {
        const wanted = records.filter(({ offset }) => offset >= next && offset < end);
        if (wanted.length > 0) yield wanted;
        next = Math.max(next, Math.min(records.at(-1)!.offset + 1, end));
        // A segment that is read to its end is checked to its end.
        if (next === end && end < named.to) return;
      }
    }
  }

  private async segmentWith(partition: number, offset: number): Promise<NamedSegment> {
    const { folder } = this.options;
    const found = (await segmentsOf(folder, partition)).find(({ from, to }) => from <= offset && offset < to);
    if (found) return found;
    const start = (await this.log.starts(INTAKE_TOPIC))[partition];
    throw new RecordsGoneError(
      `the log begins at partition ${partition}, offset ${start}, and offset ${offset} is in no segment of ${folder}: ` +
        'set LOG_ARCHIVE to the directory of the older segments',
    );
  }

  private assertOurs({ path }: NamedSegment, { logId }: StoredSegment): void {
    this.logId ??= logId;
    if (logId === this.logId) return;
    throw new FileError(`${path} belongs to log ${logId}, but this is log ${this.logId}`);
  }
}

/** Two logs with the same id may have diverged: a copied site. */
function assertFollows(
  { path }: NamedSegment,
  segment: StoredSegment,
  previous: StoredSegment | undefined,
): void {
  if (!previous || previous.to !== segment.from || previous.after.equals(segment.before)) return;
  // `posture archive` has compared them when it wrote the first one with the present chain.
  if (previous.chain !== segment.chain) return;
  throw new FileError(
    `${path} does not continue the chain of the previous segment: partition ${segment.partition}, offset ${segment.from}`,
  );
}
