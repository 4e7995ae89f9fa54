import { UnknownSchemaError } from '#libs/contracts';
import {
  type AssetState,
  type EntityState,
  eventTime,
  evolve,
  type IntakeEvent,
  initialEntity,
  initialPartition,
  noEffects,
  type PartitionState,
  STAMP_AHEAD_MS_MAX,
  UnknownRulesError,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { CHAIN_START, chainAfter } from '#libs/intake';
import { decodeBatch, LogHoleError } from '#libs/projection';
import { KnownItems } from './known-items.ts';
import { UploadMarks } from './upload-marks.ts';

/** What was known in one partition at an instant. */
export interface KnownPartition {
  partition: number;
  /** Records of the prefix that holds what was known, so the offset that it ends before. */
  records: number;
  /** Head of the partition's chain over the prefix (`chainAfter`); `CHAIN_START` where there is no record in it. */
  head: Buffer;
  /** Every asset that there had been, deleted ones too, in the order of their numbers. */
  assets: AssetState[];
  /** Time of the partition's first event, in epoch milliseconds; null where no record of it was seen. */
  firstAt: number | null;
}

/** What the fold keeps of a partition's uploads moves out of its state after so many events. */
const EVENTS_BETWEEN_MARKS = 1_000;

/**
 * Folds one partition in memory, from its first record up to an instant: the longest prefix whose clock is not past it
 * (design "Events and the fold", rule 3). A clock that was ahead may have been set back behind that, so it goes on to
 * the first event that both its clocks put past the instant: every event has both from rules 3 on. What is corrupt
 * under a known schema is in the prefix and in the chain, and folds to nothing, as in the projector.
 */
export class PartitionFold {
  private readonly state: PartitionState;
  private readonly entities = new Map<string, EntityState>();
  private readonly uploads = new UploadMarks();
  private readonly known: KnownItems;
  private next = 0;
  private head = CHAIN_START;
  private prefix = { records: 0, head: CHAIN_START };
  private firstAt: number | null = null;
  private isPast = false;

  /** @param at the instant, in epoch milliseconds */
  constructor(
    private readonly partition: number,
    private readonly at: number,
  ) {
    this.state = initialPartition(partition);
    this.known = new KnownItems(at);
  }

  /**
   * Takes the next records in the order of offsets; answers whether it wants more: false once the instant is passed.
   * @throws LogHoleError where a record is missing before them
   * @throws UnknownSchemaError, UnknownRulesError with the position: nothing is folded past them
   */
  take(records: StoredRecord[]): boolean {
    for (const record of records) {
      if (this.isPast) return false;
      try {
        this.takeOne(record);
      } catch (error) {
        throw located(error, record);
      }
    }
    return !this.isPast;
  }

  /**
   * What the prefix comes to.
   * @param end offset that the partition ends before
   * @throws LogHoleError where the records end before both the instant and that offset
   */
  finish(end: number): KnownPartition {
    if (!this.isPast && this.next < end) {
      throw new LogHoleError(
        `partition ${this.partition} ends at offset ${this.next}, but ${end} is known: records are missing from the log`,
      );
    }
    const { partition, prefix, firstAt } = this;
    return { partition, ...prefix, assets: this.known.all(), firstAt };
  }

  private takeOne(record: StoredRecord): void {
    if (record.offset !== this.next) {
      throw new LogHoleError(
        `partition ${this.partition} goes on at offset ${record.offset}, but ${this.next} is next: records are missing from the log`,
      );
    }
    const event = decodeBatch([record], this.state.clock).decoded[0]?.event;
    if (event) {
      this.firstAt ??= eventTime(event.envelope);
      this.isPast = isSurelyPast(event, this.at);
      if (this.isPast) return;
      this.fold(event);
    }
    this.next += 1;
    this.head = chainAfter(this.head, record);
    if (this.state.clock <= this.at) this.prefix = { records: this.next, head: this.head };
  }

  private fold(event: IntakeEvent): void {
    const { entityKey, cause } = event.envelope;
    const entity = this.entities.get(entityKey) ?? initialEntity(entityKey);
    this.entities.set(entityKey, entity);
    if (cause.uploadId !== null) this.uploads.bring(this.state, cause.uploadId);
    const effects = noEffects();
    evolve(this.state, entity, event, effects);
    if (this.state.clock <= this.at) this.known.take(effects);
    if (this.state.uploads.size >= EVENTS_BETWEEN_MARKS) this.uploads.keep(this.state);
  }
}

/** Whether no correction behind the event can be from before the instant: clocks differ by less than the bound. */
const isSurelyPast = ({ envelope }: IntakeEvent, at: number): boolean =>
  envelope.rules >= 3 && eventTime(envelope) > at + STAMP_AHEAD_MS_MAX;

/** What cannot be read or folded does not know itself where it lies. */
function located(error: unknown, { partition, offset }: StoredRecord): unknown {
  for (const Kind of [UnknownSchemaError, UnknownRulesError]) {
    if (error instanceof Kind) return new Kind(`partition ${partition}, offset ${offset}: ${error.message}`);
  }
  return error;
}
