import type { StoredRecord } from '#libs/event-log';
import type { Chain } from '#libs/intake';
import { chainOf, openContainer } from './container.ts';
import { asFileError } from './file-error.ts';
import { openingOf, placeText } from './log-check.ts';
import { LogContentError } from './log-content-error.ts';
import { readFrames } from './read-frames.ts';
import {
  SEGMENT_FILE,
  SEGMENT_FRAMES,
  type Segment,
  type SegmentFrame,
  type StoredSegment,
} from './segment.ts';
import type { NamedSegment } from './segment-folder.ts';

/** Records of a segment that were read together. */
interface Piece {
  segment: StoredSegment;
  records: StoredRecord[];
}

/**
 * The header of a segment.
 * @throws FileError if it is no segment, damaged in its header, or another one than its name says
 */
export async function readSegmentHeader(named: NamedSegment): Promise<StoredSegment> {
  for await (const { segment } of pieces(named)) return segment;
  throw asFileError(named.path, new LogContentError('is damaged in its header: it is empty'));
}

/**
 * All records of a segment in order, in bounded batches; memory does not grow with it.
 * @param onHeader called first; an error that it throws ends the reading
 * @throws FileError at the first place that is damaged, missing or too much; some damage shows at the end only
 */
export async function* readSegment(
  named: NamedSegment,
  onHeader: (segment: StoredSegment) => void = () => {},
): AsyncGenerator<StoredRecord[]> {
  let isFirst = true;
  for await (const { segment, records } of pieces(named)) {
    if (isFirst) onHeader(segment);
    isFirst = false;
    if (records.length > 0) yield records;
  }
}

/**
 * Reads all of a segment.
 * @throws FileError as `readSegment`
 */
export async function verifySegment(
  named: NamedSegment,
  onRecords: (count: number) => void = () => {},
): Promise<void> {
  for await (const records of readSegment(named)) onRecords(records.length);
}

async function* pieces(named: NamedSegment): AsyncGenerator<Piece> {
  try {
    const container = await openContainer(named.path, SEGMENT_FILE);
    const reading = new SegmentReading(named, chainOf(container));
    for await (const frames of readFrames(container, SEGMENT_FRAMES, () => reading.where)) {
      const records = frames.flatMap((frame) => reading.take(frame));
      yield { segment: reading.segment!, records };
    }
    reading.finish();
  } catch (error) {
    throw asFileError(named.path, error);
  }
}

/** Takes the frames of a segment one after the other, and verifies them against its header and name. */
class SegmentReading {
  segment: StoredSegment | undefined;
  private next: number;
  private head: Buffer | undefined;

  constructor(
    private readonly named: NamedSegment,
    private readonly chain: Chain,
  ) {
    this.next = named.from;
  }

  get where(): string {
    if (!this.segment) return 'in its header';
    return this.next < this.segment.to
      ? `from ${placeText({ partition: this.named.partition, offset: this.next })} on`
      : 'after its last record';
  }

  take(frame: SegmentFrame): StoredRecord[] {
    if (!this.segment) {
      this.segment = { ...headerOf(frame, this.named), chain: this.chain };
      this.head = this.segment.before;
      return [];
    }
    if ('Header' in frame) {
      throw new LogContentError(`is damaged ${this.where}: the data that follows is not a record`);
    }
    const record = { ...frame.Record, headers: { ...frame.Record.headers } };
    this.assertNext(record, this.segment);
    this.head = this.chain(this.head!, record);
    this.next += 1;
    return [record];
  }

  finish(): void {
    if (!this.segment || this.next < this.segment.to) {
      throw new LogContentError(`is damaged ${this.where}: it is cut off there`);
    }
    if (!this.head!.equals(this.segment.after)) {
      throw new LogContentError('is damaged: the chain of its records does not match its header');
    }
  }

  private assertNext(record: StoredRecord, { logId, partitions, partition, to }: StoredSegment): void {
    const { offset } = record;
    if (record.partition !== partition || offset !== this.next || offset >= to) {
      throw new LogContentError(
        `is damaged: ${placeText(record)} comes where ${placeText({ partition, offset: this.next })} must`,
      );
    }
    if (offset > 0) return;
    const opened = openingOf(record);
    if (opened?.logId === logId && opened.partitions === partitions) return;
    throw new LogContentError(
      `does not begin with its identity: ${placeText(record)} must be the opening of log ${logId} with ${partitions} partitions`,
    );
  }
}

function headerOf(frame: SegmentFrame, { partition, from, to }: NamedSegment): Segment {
  if (!('Header' in frame)) throw new LogContentError('is damaged in its header: the header is missing');
  const segment = { ...frame.Header };
  if (segment.partition !== partition || segment.from !== from || segment.to !== to || from >= to) {
    throw new LogContentError(
      `does not contain what its name states: partition ${segment.partition}, offsets ${segment.from} to ${segment.to - 1}`,
    );
  }
  return segment;
}
