import {
  addUploadChange,
  type Change,
  type DigestOf,
  type Effects,
  type EntityState,
  evolve,
  type HistoryTrim,
  type IntakeEvent,
  initialEntity,
  type NeededFindings,
  neededFindings,
  noEffects,
  type PartitionState,
  type UploadState,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import type { BatchEffects, CausedAct, CausedChange, FoldedBatch } from './batch-effects.ts';
import { type DecodedBatch, type DecodedRecord, decodeBatch } from './decode-batch.ts';
import { assertNoHole } from './log-hole.ts';
import { errorOf } from './unknown-record.ts';

/** How far a partition is folded; the tables store it with the rows. */
export interface PartitionPosition {
  readonly nextOffset: number;
  readonly clock: number;
  readonly assetCounter: number;
  readonly findingSequence: number;
  readonly assetSequence: number;
}

export const PARTITION_START: PartitionPosition = {
  nextOffset: 0,
  clock: 0,
  assetCounter: 0,
  findingSequence: 0,
  assetSequence: 0,
};

/**
 * Characters of JSON after which a batch stops. A small signal may change a large finding, which is stored whole with
 * each change: a thousand of them can be gigabytes. On its way a character is in memory about four times, in four
 * partitions.
 */
const CHANGED_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Folds the events of one partition, in order, from a position on. The caller loads and stores them. */
export class PartitionFold {
  readonly state: PartitionState;
  /** Offset after the last record that was folded. */
  nextOffset: number;
  private findingSequence: number;
  private assetSequence: number;

  /**
   * @param from what was folded before
   * @param entities by key, as of that position; the fold updates them in place
   * @param uploads as of that position; the fold updates them in place
   */
  constructor(
    partition: number,
    from: PartitionPosition = PARTITION_START,
    readonly entities: Map<string, EntityState> = new Map(),
    uploads: PartitionState['uploads'] = new Map(),
  ) {
    this.state = { partition, clock: from.clock, assetCounter: from.assetCounter, uploads };
    this.nextOffset = from.nextOffset;
    this.findingSequence = from.findingSequence;
    this.assetSequence = from.assetSequence;
  }

  /** Sequences count what `foldBatch` has folded. */
  get position(): PartitionPosition {
    const { nextOffset, findingSequence, assetSequence } = this;
    const { clock, assetCounter } = this.state;
    return { nextOffset, clock, assetCounter, findingSequence, assetSequence };
  }

  /**
   * The next records as events.
   * @throws LogHoleError, UnknownRecordError: nothing is folded past them
   */
  decode(records: StoredRecord[]): DecodedBatch {
    assertNoHole(records, this.nextOffset);
    return decodeBatch(records, this.state.clock);
  }

  /** For a caller that loads no entities: one that was not seen before is new. */
  ensureEntity(key: string): void {
    if (!this.entities.has(key)) this.entities.set(key, initialEntity(key));
  }

  /**
   * Folds one event into its entity, and adds to the effects. The caller updates the offset.
   * @param digestOf omitted: findings get no digest
   */
  fold(event: IntakeEvent, effects: Effects = noEffects(), digestOf?: DigestOf): Effects {
    evolve(this.state, this.entities.get(event.envelope.entityKey)!, event, effects, digestOf);
    return effects;
  }

  /**
   * Folds as many of the first records as the memory holds the changes of, at least one, and moves the position.
   * @param end offset after the decoded records, including corrupt ones
   * @throws UnknownRecordError: some of the entities are folded then, and must be loaded again
   */
  foldBatch(decoded: DecodedRecord[], end: number): FoldedBatch {
    const folding = this.foldSteps(decoded, end);
    const { done, value } = folding.next();
    if (!done)
      throw new Error(`partition ${this.state.partition}: the fold needs findings that are not read`);
    return value;
  }

  /**
   * The same for entities with unread findings.
   * @param read places the content of findings (`placeRead`), as of the position before the batch
   */
  async foldReading(
    decoded: DecodedRecord[],
    end: number,
    read: (needed: NeededFindings[]) => Promise<void>,
  ): Promise<FoldedBatch> {
    const folding = this.foldSteps(decoded, end);
    for (;;) {
      const { done, value } = folding.next();
      if (done) return value;
      await read(value);
    }
  }

  /** Yields the findings that it needs before it continues. */
  private *foldSteps(decoded: DecodedRecord[], end: number): Generator<NeededFindings[], FoldedBatch, void> {
    const effects = noEffects();
    const changes: CausedChange[] = [];
    const acts: CausedAct[] = [];
    let organization: BatchEffects['organization'] = null;
    const trims: HistoryTrim[] = [];
    const uploads = new Set<UploadState>();
    let characters = 0;
    let folded = 0;
    for (const { record, event, digestOf } of decoded) {
      const { envelope } = event;
      const needed = neededFindings(this.state, this.entities.get(envelope.entityKey)!, [
        { event, digestOf },
      ]);
      if (needed.length > 0) {
        yield needed;
        settleRead(effects);
      }
      try {
        this.fold(event, effects, digestOf);
      } catch (error) {
        throw errorOf(record, error);
      }
      const { uploadId } = envelope.cause;
      const upload = uploadId === null ? undefined : this.state.uploads.get(uploadId);
      for (const change of effects.changes) {
        const json = JSON.stringify(change.kind === 'asset' ? change.asset : change.finding);
        const sequence = this.nextSequence(change);
        changes.push({ change, sequence, json, envelope, offset: record.offset });
        if (upload?.changes) addUploadChange(upload.changes, change, sequence);
        characters += json.length;
      }
      if (effects.changes.length > 0) effects.changes = [];
      for (const act of effects.acts) acts.push({ act, envelope, offset: record.offset });
      if (effects.acts.length > 0) effects.acts = [];
      if (effects.organization) organization = { key: envelope.entityKey, state: effects.organization };
      effects.organization = null;
      // Sequences that do not exist yet would make the result depend on where a batch ends.
      if (effects.trims.length > 0) {
        trims.push(...effects.trims.filter(({ throughSequence }) => throughSequence <= this.findingSequence));
        effects.trims = [];
      }
      if (upload) uploads.add(upload);
      folded += 1;
      if (characters >= CHANGED_CHARACTERS_MAX) break;
    }
    this.nextOffset = decoded[folded]?.record.offset ?? end;
    return {
      folded,
      setAside: effects.setAside,
      changes,
      touched: effects,
      uploads: [...uploads],
      acts,
      organization,
      trims,
    };
  }

  private nextSequence({ kind }: Change): number {
    if (kind === 'asset') this.assetSequence += 1;
    else this.findingSequence += 1;
    return kind === 'asset' ? this.assetSequence : this.findingSequence;
  }
}

/** Moves what has been read since it was seen from the unread findings to the others. */
export function settleRead({ touchedUnread, touchedFindings }: BatchEffects['touched']): void {
  for (const [{ id }, asset] of touchedUnread) if (id !== null) touchedFindings.set(id, asset);
  for (const finding of touchedUnread.keys()) if (finding.id !== null) touchedUnread.delete(finding);
}
