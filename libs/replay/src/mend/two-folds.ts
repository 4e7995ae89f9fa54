import type { Act, IntakeEvent } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { decodeBatch, MemoryFold } from '#libs/fold';
import { withoutWrongClock } from './without-wrong-clock.ts';

/** A correction of a partition's clock: no clock can have been later when the earlier records were written. */
export interface Correction {
  offset: number;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Folds a partition twice in memory, in parallel: with and without the wrong clocks that were corrected.
 */
export class TwoFolds {
  /** As the log says. */
  readonly actual: MemoryFold;
  /** Without wrong clocks. */
  readonly right: MemoryFold;

  /**
   * @param corrections of the partition, in the order of their offsets: after the last one clocks are right
   */
  constructor(
    partition: number,
    private readonly corrections: readonly Correction[],
  ) {
    this.actual = new MemoryFold(partition);
    this.right = new MemoryFold(partition);
  }

  /** Offset after the last record taken. */
  get position(): number {
    return this.actual.nextOffset;
  }

  /** Takes the next records in the order of offsets. Corrupt records change nothing, as in every fold. */
  take(records: StoredRecord[]): void {
    for (const { record, event } of decodeBatch(records, 0).decoded) this.takeOne(event, record.offset);
    this.actual.nextOffset = records.at(-1)!.offset + 1;
  }

  /** Folds an event that is not in the log. */
  takeOne(event: IntakeEvent, offset = this.position): void {
    const { acts } = this.actual.fold(event);
    // An act that was reported as rejected stays rejected.
    if (event.payload.type !== 'ClockCorrected' && acts.some(isRefused)) return;
    const latest = this.corrections.find((correction) => offset < correction.offset)?.at;
    const right = withoutWrongClock(event, this.right.state.clock, latest ?? Number.POSITIVE_INFINITY);
    if (!right || !this.right.fold(right).acts.some(isRefused)) return;
    // It was accepted again because a wrong clock had ended its acceptance: the user's last act takes precedence.
    if (right.payload.type === 'FindingAccepted') {
      this.right.fold({ ...right, payload: { ...right.payload, type: 'FindingReverted', to: 'Failed' } });
      this.right.fold(right);
    }
  }
}

const isRefused = ({ refused }: Act) => refused !== null;
