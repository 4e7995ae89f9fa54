import { decodeIfIntact } from '#libs/contracts';
import { isPartitionKey, type UploadHeader } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import type { Placement } from './placement.ts';

/** An upload whose events in an old partition go to several new ones. */
export interface SharedUpload {
  header: UploadHeader | null;
  /** New partition → number of the upload's events there, without repeats, and with the unread ones before them. */
  counts: ReadonlyMap<number, number>;
  /** Ordinals of events that later ones of the old partition show to have been there, such as in corrupt records. */
  unread: ReadonlySet<number>;
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
  /** The last ordinal. */
  last: number;
  unread: Set<number>;
  counts: Map<number, number>;
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
    for (const [id, { header, counts, unread }] of this.uploads) {
      if (counts.size > 1) shared.set(id, { header, counts, unread });
    }
    this.uploads.clear();
    return { ends: this.ends, shared };
  }

  private noteUpload(record: StoredRecord, partition: number): void {
    const event = decodeIfIntact(record.value);
    const id = event?.envelope.cause.uploadId;
    if (!event || !id) return;
    const { cause, upload: header } = event.envelope;
    const upload = this.uploads.get(id) ?? { header: null, last: 0, unread: new Set(), counts: new Map() };
    // 0: a repeat (R-FOLD-5). It may be of an unread event, in a partition that has no other.
    const events = Math.max(0, cause.ordinal - upload.last);
    upload.counts.set(partition, (upload.counts.get(partition) ?? 0) + events);
    for (let unread = upload.last + 1; unread < cause.ordinal; unread += 1) upload.unread.add(unread);
    upload.last += events;
    if (events > 0) upload.header ??= header;
    const isUnchanged = upload.last === cause.count && upload.counts.size === 1 && upload.unread.size === 0;
    if (isUnchanged) this.uploads.delete(id);
    else this.uploads.set(id, upload);
  }
}
