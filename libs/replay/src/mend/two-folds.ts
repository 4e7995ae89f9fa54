import {
  type Act,
  type Effects,
  type EntityState,
  evolve,
  type IntakeEvent,
  initialEntity,
  initialPartition,
  noEffects,
  type PartitionState,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { decodeBatch } from '#libs/projection';
import { UploadMarks } from '../upload-marks.ts';
import { withoutWrongClock } from './without-wrong-clock.ts';

/** A correction of a partition's clock: no clock can have been later when what lies before it was written. */
export interface Correction {
  offset: number;
  /** Epoch milliseconds. */
  at: number;
}

/** Uploads move out of the state after so many. */
const UPLOADS_MAX = 1_000;

/** One partition in memory, folded event by event. */
export class MemoryFold {
  readonly entities = new Map<string, EntityState>();
  readonly state: PartitionState;
  private readonly uploads = new UploadMarks();

  constructor(partition: number) {
    this.state = initialPartition(partition);
  }

  fold(event: IntakeEvent): Effects {
    const { entityKey, cause } = event.envelope;
    const entity = this.entities.get(entityKey) ?? initialEntity(entityKey);
    this.entities.set(entityKey, entity);
    if (cause.uploadId !== null) this.uploads.bring(this.state, cause.uploadId);
    const effects = noEffects();
    evolve(this.state, entity, event, effects);
    if (this.state.uploads.size >= UPLOADS_MAX) this.uploads.keep(this.state);
    return effects;
  }
}

/**
 * Folds a partition twice in memory, side by side: as it is, and as it would be without the wrong clocks that were
 * corrected. Both are held whole, as `PartitionFold` holds one.
 */
export class TwoFolds {
  /** As the log says. */
  readonly actual: MemoryFold;
  /** Without wrong clocks. */
  readonly right: MemoryFold;
  private next = 0;

  /**
   * @param corrections of the partition, in the order of their offsets: behind the last one clocks are right
   */
  constructor(
    partition: number,
    private readonly corrections: readonly Correction[],
  ) {
    this.actual = new MemoryFold(partition);
    this.right = new MemoryFold(partition);
  }

  /** Offset behind the last record taken. */
  get position(): number {
    return this.next;
  }

  /** Takes the next records in the order of offsets; those that are corrupt fold to nothing, as everywhere. */
  take(records: StoredRecord[]): void {
    for (const { record, event } of decodeBatch(records, 0).decoded) this.takeOne(event, record.offset);
    this.next = records.at(-1)!.offset + 1;
  }

  /** Folds an event that is not in the log. */
  takeOne(event: IntakeEvent, offset = this.next): void {
    const { acts } = this.actual.fold(event);
    // What a user was told to be refused stays so.
    if (event.payload.type !== 'ClockCorrected' && acts.some(isRefused)) return;
    const latest = this.corrections.find((correction) => offset < correction.offset)?.at;
    const right = withoutWrongClock(event, this.right.state.clock, latest ?? Number.POSITIVE_INFINITY);
    if (!right || !this.right.fold(right).acts.some(isRefused)) return;
    // It was accepted anew because a wrong clock had ended its acceptance: the user's last word is what counts.
    if (right.payload.type === 'FindingAccepted') {
      this.right.fold({ ...right, payload: { ...right.payload, type: 'FindingReverted', to: 'Failed' } });
      this.right.fold(right);
    }
  }
}

const isRefused = ({ refused }: Act) => refused !== null;
