import type { LogEnd } from '#libs/backup';
import { decodeIfIntact, encodeIntake, partitionOf } from '#libs/contracts';
import {
  type IntakeEvent,
  isPartitionKey,
  type LogOpened,
  ORGANIZATION_KEY,
  partitionKey,
  uuidV5,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { type PartitionPlan, partitionsOf, type SharedUpload } from './partition-plan.ts';
import type { Placement } from './placement.ts';

/**
 * The records of one partition of the new log, from those of the old one in the order of their offsets: what the edge
 * would have written to a log with as many partitions. Deterministic: the same records give the same bytes.
 */
export class RecordPlacer {
  private next = 0;
  /** By the id of a shared upload: the last old and the last new ordinal. */
  private readonly ordinals = new Map<string, { old: number; placed: number }>();

  constructor(
    private readonly placement: Placement,
    private readonly partition: number,
    private readonly plan: Pick<PartitionPlan, 'shared'>,
    private readonly logId: string,
    private readonly from: LogEnd,
  ) {}

  /** Null: the record belongs to another partition. */
  readonly place = (record: StoredRecord): StoredRecord | null => {
    if (!partitionsOf(record, this.placement).includes(this.partition)) return null;
    const placed = { ...record, ...this.contentOf(record), partition: this.partition, offset: this.next };
    this.next += 1;
    return placed;
  };

  private contentOf(record: StoredRecord): Pick<StoredRecord, 'key' | 'value'> {
    const event = decodeIfIntact(record.value);
    if (!event) return record;
    if (event.payload.type === 'LogOpened' && record.offset === 0) return this.opening(event, event.payload);
    if (isPartitionKey(record.key)) return this.ofPartition(event);
    const { uploadId } = event.envelope.cause;
    const upload = uploadId === null ? undefined : this.plan.shared.get(uploadId);
    return upload ? { ...record, value: encodeIntake(this.renumbered(event, upload)) } : record;
  }

  private opening({ envelope }: IntakeEvent, payload: LogOpened): Pick<StoredRecord, 'key' | 'value'> {
    const { logId, placement, partition } = this;
    const isOfOrganization = partition === partitionOf(ORGANIZATION_KEY, placement.to);
    const key = isOfOrganization ? ORGANIZATION_KEY : partitionKey(partition);
    const head = this.from.heads[placement.oldPartitionOf(partition)]!;
    const opened: IntakeEvent = {
      envelope: { ...envelope, id: logId, entityKey: key },
      payload: {
        ...payload,
        logId,
        partitions: placement.to,
        scoringModel: isOfOrganization ? payload.scoringModel : null,
        repartitionedFrom: { logId: this.from.logId, head },
      },
    };
    return { key, value: encodeIntake(opened) };
  }

  private ofPartition({ envelope, payload }: IntakeEvent): Pick<StoredRecord, 'key' | 'value'> {
    const key = partitionKey(this.partition);
    const id = uuidV5(envelope.id)(key);
    return { key, value: encodeIntake({ envelope: { ...envelope, id, entityKey: key }, payload }) };
  }

  /** With the place of the event among those of its upload in this partition (R-FOLD-5). */
  private renumbered(event: IntakeEvent, { header, counts, unread }: SharedUpload): IntakeEvent {
    const { cause } = event.envelope;
    const last = this.ordinals.get(cause.uploadId!) ?? { old: 0, placed: 0 };
    // What was unread was passed in the old partition: if it comes again, it has no effect there.
    const isRepeat = cause.ordinal <= last.old || unread.has(cause.ordinal);
    const ordinal = isRepeat ? last.placed : last.placed + 1 + unreadBefore(cause.ordinal, unread);
    if (!isRepeat) this.ordinals.set(cause.uploadId!, { old: cause.ordinal, placed: ordinal });
    return {
      ...event,
      envelope: {
        ...event.envelope,
        cause: { ...cause, ordinal, count: counts.get(this.partition)! },
        upload: ordinal === 1 || last.placed === 0 ? header : null,
      },
    };
  }
}

/** How many events directly before an ordinal are unread. */
function unreadBefore(ordinal: number, unread: ReadonlySet<number>): number {
  let first = ordinal;
  while (unread.has(first - 1)) first -= 1;
  return ordinal - first;
}
