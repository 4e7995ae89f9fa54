import { type AssetState, type Effects, eventTime, type IntakeEvent, STAMP_AHEAD_MS_MAX } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { assertReached, errorOf, MemoryFold } from '#libs/fold';
import { CHAIN_START, type Chain, chainAfter } from '#libs/intake';
import { KnownItems } from './known-items.ts';

/** The state of one partition at an instant. */
export interface KnownPartition {
  partition: number;
  /** Records of the prefix that was known, so also the offset after it. */
  records: number;
  /** Head of the partition's chain over the prefix; `CHAIN_START` if there is no record in it. */
  head: Buffer;
  /** Every asset that there had been, deleted ones too, in the order of their numbers. */
  assets: AssetState[];
  /** Time of the partition's first event, in epoch milliseconds; null if no record of it was seen. */
  firstAt: number | null;
}

/** Receives what was changed after the instant and before a later one. */
export interface LaterChanges {
  /** Epoch milliseconds; not before the instant. */
  until: number;
  take(effects: Pick<Effects, 'touchedAssets' | 'touchedFindings'>): void;
}

/**
 * Folds one partition in memory, from its first record up to an instant: the longest prefix whose clock is not past it
 * (R-HIST-2). A clock that was ahead may have been set back after that, so it continues to the first event that is
 * after the instant by both of its clocks: every event has both from rules 3 on. If both were ahead, only a correction
 * behind the event shows it: the reader then continues to that. A corrupt record with a known schema is in the prefix
 * and in the chain, and has no effect, as in the projector.
 */
export class AsOfFold {
  private readonly fold: MemoryFold;
  private readonly known: KnownItems;
  private head = CHAIN_START;
  private prefix = { records: 0, head: CHAIN_START };
  private firstAt: number | null = null;
  private isPast = false;
  private correctedTo = 0;

  /**
   * @param at the instant, in epoch milliseconds
   * @param later to fold further, and pass on what changes; the result is of the instant all the same
   */
  constructor(
    private readonly partition: number,
    private readonly at: number,
    private readonly later?: LaterChanges,
    private readonly chain: Chain = chainAfter,
  ) {
    this.fold = new MemoryFold(partition);
    this.known = new KnownItems(at);
  }

  /** Offset after the last record taken. */
  get position(): number {
    return this.fold.nextOffset;
  }

  /** Continues after the instant is passed, at least to an offset: that after the last correction of the clock. */
  continueTo(correctedTo: number): void {
    this.correctedTo = correctedTo;
    this.isPast = false;
  }

  /**
   * Takes the next records in the order of offsets, without the ones that it has; returns whether it wants more: false
   * once the instant is passed.
   * @throws LogHoleError if a record is missing before them
   * @throws UnknownRecordError: nothing is folded past them
   */
  take(records: StoredRecord[]): boolean {
    for (const record of records) {
      if (this.isPast) return false;
      if (record.offset < this.position) continue;
      try {
        this.takeOne(record);
      } catch (error) {
        throw errorOf(record, error);
      }
    }
    return !this.isPast;
  }

  /**
   * Result of the prefix.
   * @param end offset that the partition ends before
   * @throws LogHoleError if the records end before both the instant and that offset
   */
  finish(end: number): KnownPartition {
    if (!this.isPast) assertReached(this.partition, this.fold.nextOffset, end);
    const { partition, prefix, firstAt } = this;
    return { partition, ...prefix, assets: this.known.all(), firstAt };
  }

  private takeOne(record: StoredRecord): void {
    const { fold } = this;
    const event = fold.decode([record]).decoded[0]?.event;
    if (event) {
      this.firstAt ??= eventTime(event.envelope);
      this.isPast = record.offset >= this.correctedTo && isSurelyPast(event, this.later?.until ?? this.at);
      if (this.isPast) return;
      const effects = fold.fold(event);
      if (fold.state.clock <= this.at) this.known.take(effects);
      else if (this.later && fold.state.clock <= this.later.until) this.later.take(effects);
    }
    fold.nextOffset += 1;
    this.head = this.chain(this.head, record);
    if (fold.state.clock <= this.at) this.prefix = { records: fold.nextOffset, head: this.head };
  }
}

/** Whether the event is after the instant, unless both of its clocks were ahead: right ones differ by less than the bound. */
const isSurelyPast = ({ envelope }: IntakeEvent, at: number): boolean =>
  envelope.rules >= 3 && eventTime(envelope) > at + STAMP_AHEAD_MS_MAX;
