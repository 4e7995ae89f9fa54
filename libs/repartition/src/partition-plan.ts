import { decodeIfIntact } from '#libs/contracts';
import { isPartitionKey, type UploadHeader } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import type { Placement } from './placement.ts';

/** An upload whose events in an old partition go to several new ones. */
export interface SharedUpload {
  header: UploadHeader | null;
  /** New partition → number of the upload's events there, without repeats. */
  counts: ReadonlyMap<number, number>;
}

/** What must be known of an old partition before its first record can be placed. */
export interface PartitionPlan {
  /** New partition → number of its records. */
  ends: ReadonlyMap<number, number>;
  /** By upload id; uploads whose events all go to one new partition are not changed, and not here. */
  shared: ReadonlyMap<string, SharedUpload>;
}

/** The new partitions of a record, of which an event about the old partition itself has several or none. */
export function partitionsOf(record: StoredRecord, placement: Placement): number[] {
  if (record.offset === 0) return placement.partitionsFrom(record.partition);
  if (!isPartitionKey(record.key)) return [placement.of(record)];
  switch (decodeIfIntact(record.value)?.payload.type) {
    case 'ClockCorrected':
      return placement.partitionsFrom(record.partition);
    // A repeated opening has no effect.
    case 'LogOpened':
    // Names a place in the history of the old partition; the next run of the retention removes the same changes.
    case 'HistoryTrimmed':
      return [];
    default:
      return [record.partition];
  }
}

interface SeenUpload {
  header: UploadHeader | null;
  stored: number;
  /** New partition → the last ordinal, and number of events. */
  parts: Map<number, { ordinal: number; count: number }>;
}

/** Gathers the plan of one old partition from its records, in order; remembers uploads, not events. */
export class PartitionPlanner {
  private readonly ends = new Map<number, number>();
  private readonly uploads = new Map<string, SeenUpload>();

  constructor(private readonly placement: Placement) {}

  take(record: StoredRecord): void {
    const partitions = partitionsOf(record, this.placement);
    for (const partition of partitions) this.ends.set(partition, (this.ends.get(partition) ?? 0) + 1);
    if (record.offset > 0 && partitions.length === 1) this.noteUpload(record, partitions[0]!);
  }

  finish(): PartitionPlan {
    const shared = new Map<string, SharedUpload>();
    for (const [id, { header, parts }] of this.uploads) {
      if (parts.size === 1) continue;
      shared.set(id, { header, counts: new Map([...parts].map(([to, { count }]) => [to, count])) });
    }
    this.uploads.clear();
    return { ends: this.ends, shared };
  }

  private noteUpload(record: StoredRecord, partition: number): void {
    const event = decodeIfIntact(record.value);
    const id = event?.envelope.cause.uploadId;
    if (!event || !id) return;
    const { cause, upload: header } = event.envelope;
    const upload = this.uploads.get(id) ?? { header: null, stored: 0, parts: new Map() };
    const part = upload.parts.get(partition) ?? { ordinal: 0, count: 0 };
    // A repeat (R-FOLD-5).
    if (cause.ordinal <= part.ordinal) return;
    part.ordinal = cause.ordinal;
    part.count += 1;
    upload.header ??= header;
    upload.stored += 1;
    upload.parts.set(partition, part);
    const isUnchanged = upload.stored === cause.count && upload.parts.size === 1;
    if (isUnchanged) this.uploads.delete(id);
    else this.uploads.set(id, upload);
  }
}
