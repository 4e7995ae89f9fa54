import type { StoredRecord } from '#libs/event-log';
import { CHAIN_START } from '#libs/intake';
import type { Checkpoint } from './checkpoint.ts';
import { FileError } from './file-error.ts';
import type { LogSource } from './import-log.ts';
import type { LogExtent } from './log-check.ts';
import { readSegment } from './segment-file.ts';
import { segmentsOf } from './segment-folder.ts';

/**
 * The records of a log at known positions, from segments that begin at offset 0. Memory is independent of their number.
 */
export class SegmentLog implements LogSource {
  /**
   * @param whole the log's id, and each partition's end and head of the chain there
   * @param extent a cut of it: every partition up to its end, or less
   */
  constructor(
    private readonly folder: string,
    private readonly whole: Pick<Checkpoint, 'logId' | 'positions'>,
    readonly extent: LogExtent = { logId: whole.logId, ends: whole.positions.map(({ next }) => next) },
  ) {}

  /** The same segments up to other ends, none of them after its own. */
  upTo(ends: number[]): SegmentLog {
    return new SegmentLog(this.folder, this.whole, { logId: this.whole.logId, ends });
  }

  /**
   * All records of the cut, by partition and in the order of offsets, in bounded batches. A segment that is read to its
   * end was checked to its end.
   * @throws FileError at the first place that is damaged, missing, of another log, or not the next link of the chain
   */
  async *batches(): AsyncGenerator<StoredRecord[]> {
    for (const [partition, end] of this.extent.ends.entries()) yield* this.partition(partition, end);
  }

  /** As `batches`, of one partition. */
  of(partition: number): AsyncIterable<StoredRecord[]> {
    return this.partition(partition, this.extent.ends[partition]!);
  }

  private async *partition(partition: number, end: number): AsyncGenerator<StoredRecord[]> {
    const { logId, positions } = this.whole;
    const { next: wholeEnd, head: wholeHead } = positions[partition]!;
    let [next, head] = [0, CHAIN_START];
    for (const named of await segmentsOf(this.folder, partition)) {
      if (next >= end) return;
      if (named.from !== next) break;
      const from = head;
      const batches = readSegment(named, (segment) => {
        if (segment.logId !== logId || segment.partitions !== positions.length) {
          throw new FileError(`${named.path} belongs to log ${segment.logId}, but this is log ${logId}`);
        }
        if (!segment.before.equals(from)) {
          throw new FileError(`${named.path} does not continue the chain of the previous segment`);
        }
        head = segment.after;
        if (segment.to === wholeEnd && !head.equals(wholeHead)) {
          throw new FileError(`${named.path} does not contain the records of the backup`);
        }
      });
      for await (const records of batches) {
        const wanted = records.filter(({ offset }) => offset < end);
        if (wanted.length > 0) yield wanted;
        if (wanted.length < records.length) return;
      }
      next = named.to;
    }
    if (next >= end) return;
    throw new FileError(
      `${this.folder} lacks a segment: partition ${partition} ends at offset ${next} there, but the backup reaches ${end}`,
    );
  }
}
