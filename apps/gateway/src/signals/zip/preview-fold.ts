import type { Kysely } from 'kysely';
import { decodeIntake, partitionOf } from '#libs/contracts';
import type { Schema } from '#libs/database';
import {
  addCounts,
  type Change,
  type Effects,
  type EntityState,
  type FindingChange,
  type IntakeEvent,
  listedOf,
  noCounts,
  type PartitionState,
  type UploadState,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { PartitionFold } from '#libs/fold';
import { entityBytes, readEntities, readPosition } from '#libs/tables';
import type { WouldDto } from '../upload.dto.ts';

/** Entities that one preview may hold, by the estimate of the projection's cache. */
const HELD_BYTES_MAX = 128 * 1_048_576;
const ENTITIES_READ_MAX = 100;
const LISTED_MAX = 1_000;

/** The entities of the upload, as stored or as it changes them, are larger than a preview may hold. */
export class PreviewTooLargeError extends Error {
  override name = 'PreviewTooLargeError';
}

/** The preview of an upload. */
export interface Preview extends Pick<UploadState, 'counts' | 'merged' | 'unrecognisedTags'> {
  /** The first 1,000, in the order in which they would come about. */
  findings: WouldDto[];
  findingsLeftOut: number;
}

/**
 * Folds an upload's events on top of the current projections, and keeps what would change (ADR-0021).
 * Nothing is written or appended.
 */
export class PreviewFold {
  private readonly folds = new Map<number, PartitionFold>();
  private readonly entities = new Map<string, EntityState>();
  private readonly findings: WouldDto[] = [];
  private leftOut = 0;
  private heldBytes = 0;
  /** Of each changed asset and finding, by id, as it was counted last. */
  private readonly changedBytes = new Map<string, number>();

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly partitions: number,
  ) {}

  /**
   * Takes the next records of the upload.
   * @throws PreviewTooLargeError
   */
  async take(records: LogRecord[]): Promise<void> {
    await this.load([...new Set(records.map(({ key }) => key))]);
    for (const { key, value } of records) {
      this.foldInto(await this.foldOf(partitionOf(key, this.partitions)), decodeIntake(value));
    }
  }

  finish(): Preview {
    const uploads = [...this.folds.values()].flatMap(({ state }) => [...state.uploads.values()]);
    return {
      counts: uploads.map(({ counts }) => counts).reduce(addCounts, noCounts()),
      ...listedOf(uploads),
      findings: this.findings,
      findingsLeftOut: this.leftOut,
    };
  }

  private foldInto(fold: PartitionFold, event: IntakeEvent): void {
    const { state } = fold;
    const ignoredBefore = ignoredOf(state, event);
    const effects = fold.fold(event);
    for (const change of effects.changes) this.hold(change);
    for (const would of wouldOf(this.entities.get(event.envelope.entityKey)!, effects)) this.list(would);
    for (const [reason, count] of Object.entries(ignoredOf(state, event))) {
      if (count > (ignoredBefore[reason] ?? 0)) this.list(ignoredBy(event, reason));
    }
  }

  private hold(change: Change): void {
    const changed = change.kind === 'asset' ? change.asset : change.finding;
    const bytes = entityBytes(JSON.stringify(changed).length);
    this.heldBytes += bytes - (this.changedBytes.get(changed.id) ?? 0);
    this.changedBytes.set(changed.id, bytes);
    this.assertHeld();
  }

  private assertHeld(): void {
    if (this.heldBytes <= HELD_BYTES_MAX) return;
    throw new PreviewTooLargeError(
      'the entities of this ZIP have too many findings for a preview: split the ZIP',
    );
  }

  private list(would: WouldDto): void {
    if (this.findings.length < LISTED_MAX) this.findings.push(would);
    else this.leftOut += 1;
  }

  private async load(keys: string[]): Promise<void> {
    const missing = keys.filter((key) => !this.entities.has(key));
    for (let i = 0; i < missing.length; i += ENTITIES_READ_MAX) {
      for (const [key, entity] of await readEntities(this.db, missing.slice(i, i + ENTITIES_READ_MAX))) {
        this.heldBytes += entity.bytes;
        this.entities.set(key, entity.state);
      }
      this.assertHeld();
    }
  }

  private async foldOf(partition: number): Promise<PartitionFold> {
    const known = this.folds.get(partition);
    if (known) return known;
    const fold = new PartitionFold(partition, await readPosition(this.db, partition), this.entities);
    this.folds.set(partition, fold);
    return fold;
  }
}

const ignoredOf = ({ uploads }: PartitionState, { envelope }: IntakeEvent): Record<string, number> => ({
  ...uploads.get(envelope.cause.uploadId!)?.counts.ignored,
});

function wouldOf({ assets }: EntityState, { changes }: Effects): WouldDto[] {
  return changes
    .filter((change): change is FindingChange => change.kind === 'finding')
    .map(({ change, from, to, reason, finding, assetNumber }) => ({
      asset: assets.find(({ asset }) => asset.number === assetNumber)!.asset.name,
      name: finding.name,
      type: finding.type,
      would: change,
      from,
      to,
      reason,
    }));
}

/** The parts of the signal that would have no effect, and why. */
function ignoredBy({ payload }: IntakeEvent, reason: string): WouldDto {
  const nothing = { from: null, to: null, would: 'ignored' as const, reason };
  if (payload.type === 'SignalReceived') {
    const [observation] = payload.observations;
    return { asset: payload.entity.name, name: payload.name, type: observation?.type ?? null, ...nothing };
  }
  const asset = payload.type === 'AssetDescribed' ? payload.entity.name : '';
  return { asset, name: null, type: null, ...nothing };
}
