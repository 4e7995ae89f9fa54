import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type EntityState, type NeededFindings, neededFindings, unreadOf } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import {
  assertNoHole,
  type BatchEffects,
  type DecodedRecord,
  decodeBatch,
  PartitionFold,
  settleRead,
  UnknownRecordError,
  upToHole,
} from '#libs/fold';
import {
  entityBytes,
  type LoadedEntity,
  readNeeded,
  readPosition,
  readUnreadEntities,
  readUploads,
} from '#libs/tables';
import {
  eventsStampedAhead,
  foldBatchRecords,
  foldBatchSeconds,
  foldCacheHits,
  foldCacheMisses,
  foldedRecords,
  foldSeconds,
  foldTransactionSeconds,
  inSpan,
  quarantinedRecords,
} from '#libs/telemetry';
import { dropStaleDigests } from './drop-stale-digests.ts';
import { EntityCache, LargeEntity } from './entity-cache.ts';
import type { PartitionSession } from './partition-session.ts';
import { ensurePosition, StalePositionError, writeBatch } from './projection-writer.ts';
import { movedAssets } from './totals/total-moves.ts';

/** Cached entities of one partition; twelve partitions stay within 100 MB. */
const CACHE_BYTES_MAX = 8 * 1024 * 1024;
/** Entities that one batch may hold in addition to the cache; a single larger entity is folded alone. */
const BATCH_ENTITY_BYTES_MAX = 32 * 1024 * 1024;
/** Entities read by one statement. */
const ENTITIES_READ_MAX = 100;

/** Folds batches of the intake log into the projections, one writer a partition (R-FOLD-8). */
@Injectable()
export class Projection {
  private readonly logger = new Logger(Projection.name);
  private readonly sessions = new Map<number, PartitionSession>();
  private readonly large = new LargeEntity();
  /** Events folded so far that a wrong clock had stamped, and that changed nothing. */
  setAside = 0;

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Returns the stored position; drops the previous in-memory state of the partition. */
  async open(partition: number): Promise<number> {
    this.close(partition);
    const table = await ensurePosition(this.db, partition);
    const position = await this.db.transaction().execute(async (trx) => {
      await dropStaleDigests(trx, partition);
      return readPosition(trx, partition);
    });
    this.sessions.set(partition, {
      partition,
      position,
      table,
      uploads: new Map(),
      entities: new EntityCache(CACHE_BYTES_MAX, this.large),
      hasJustSought: true,
    });
    return position.nextOffset;
  }

  close(partition: number): void {
    this.sessions.get(partition)?.entities.clear();
    this.sessions.delete(partition);
  }

  /** Entity states in memory, over all partitions, as estimated. */
  get cachedBytes(): number {
    return [...this.sessions.values()].reduce((sum, { entities }) => sum + entities.bytes, this.large.bytes);
  }

  /**
   * Folds and writes records of one partition; returns the offset to read next, which is before the last record if the
   * entities of all records, or their changes, would not fit into memory at once, and before a record that this version
   * does not know. After a throw the partition must be opened again.
   * @throws UnknownRecordError if it is the first record
   */
  async project(records: StoredRecord[]): Promise<number> {
    const { partition, offset: firstOffset } = records[0]!;
    try {
      const session = this.sessions.get(partition);
      if (session?.position.nextOffset !== firstOffset) return await this.seek(records);
      // Records after a hole are delivered again, alone, and rejected then.
      return await this.foldAndWrite(session, upToHole(records));
    } catch (error) {
      this.close(partition);
      if (error instanceof StalePositionError) {
        this.logger.warn(`${error.message}: another process has written; reading the stored position`);
        return this.open(partition);
      }
      if (error instanceof UnknownRecordError && error.offset > firstOffset) {
        await this.open(partition);
        return this.project(records.filter(({ offset }) => offset < error.offset));
      }
      throw error;
    }
  }

  private async seek(records: StoredRecord[]): Promise<number> {
    const { partition, offset: firstOffset } = records[0]!;
    const hadSought = this.sessions.get(partition)?.hasJustSought ?? false;
    const nextOffset = await this.open(partition);
    if (hadSought && firstOffset > nextOffset) assertNoHole(records, nextOffset);
    return nextOffset;
  }

  private async foldAndWrite(session: PartitionSession, records: StoredRecord[]): Promise<number> {
    const batchEnds = foldBatchSeconds.startTimer();
    const { partition, position: before } = session;
    const { decoded, quarantined } = decodeBatch(records, before.clock);
    await this.loadUploads(session, decoded);
    const entities = await this.loadEntities(session, decoded);
    const firstUnloaded = decoded.findIndex(({ record }) => !entities.has(record.key));
    const folding = firstUnloaded < 0 ? decoded : decoded.slice(0, firstUnloaded);
    const end = decoded[firstUnloaded]?.record.offset ?? records.at(-1)!.offset + 1;

    const foldEnds = foldSeconds.startTimer();
    const fold = new PartitionFold(partition, before, statesOf(entities), session.uploads);
    const read = (needed: NeededFindings[]) => this.readInto(entities, partition, needed);
    const { folded, setAside, ...effects } = await fold.foldReading(folding, end, read);
    await this.readMoved(effects.touched, read);
    foldEnds();
    const { position } = fold;
    const batch = {
      ...effects,
      partition,
      firstOffset: before.nextOffset,
      table: session.table,
      position,
      quarantined: quarantined.filter(({ record }) => record.offset < position.nextOffset),
    };
    const transactionEnds = foldTransactionSeconds.startTimer();
    const attributes = { 'posture.partition': partition, 'posture.changes': batch.changes.length };
    await inSpan('transaction', { attributes }, () => writeBatch(this.db, batch));
    transactionEnds();
    batchEnds();
    measure(position.nextOffset - before.nextOffset, batch.quarantined.length);
    this.noteSetAside(partition, setAside);
    session.position = position;
    session.hasJustSought = false;
    for (const { envelope, json } of batch.changes) {
      entities.get(envelope.entityKey)!.bytes += entityBytes(json.length);
    }
    for (const [key, entity] of entities) session.entities.set(key, entity);
    return position.nextOffset;
  }

  private async readInto(
    entities: ReadonlyMap<string, LoadedEntity>,
    partition: number,
    needed: NeededFindings[],
  ): Promise<void> {
    const read = await readNeeded(this.db, partition, needed);
    for (const entity of entities.values()) {
      for (const { asset } of entity.state.assets) entity.bytes += read.get(asset.number) ?? 0;
    }
  }

  /** The totals of an asset that moved need all of its findings. */
  private async readMoved(
    touched: BatchEffects['touched'],
    read: (needed: NeededFindings[]) => Promise<void>,
  ): Promise<void> {
    const moved = movedAssets(touched).filter(({ unread }) => unread);
    if (moved.length === 0) return;
    await read(moved.map((asset) => ({ asset, unread: [...unreadOf(asset)], ids: [] })));
    settleRead(touched);
  }

  private noteSetAside(partition: number, events: number): void {
    if (events === 0) return;
    this.setAside += events;
    eventsStampedAhead.inc(events);
    this.logger.warn(
      `partition ${partition}: ${events} events have no effect: the clock of the program that stamped them was ahead`,
    );
  }

  /** Keeps only the uploads of this batch: an upload that continues is among them. */
  private async loadUploads(
    { partition, uploads }: PartitionSession,
    decoded: DecodedRecord[],
  ): Promise<void> {
    const ids = new Set(decoded.flatMap(({ event }) => event.envelope.cause.uploadId ?? []));
    for (const id of uploads.keys()) if (!ids.has(id)) uploads.delete(id);
    const missing = [...ids].filter((id) => !uploads.has(id));
    if (missing.length === 0) return;
    for (const upload of await readUploads(this.db, partition, missing)) {
      uploads.set(upload.uploadId, upload);
    }
  }

  /** The entities of the records: as many of the first as fit into memory, at least one. */
  private async loadEntities(
    session: PartitionSession,
    decoded: DecodedRecord[],
  ): Promise<Map<string, LoadedEntity>> {
    const records = recordsByKey(decoded);
    const keys = [...records.keys()];
    const entities = new Map<string, LoadedEntity>();
    let bytes = 0;
    let misses = 0;
    for (let i = 0; i < keys.length && bytes < BATCH_ENTITY_BYTES_MAX; i += ENTITIES_READ_MAX) {
      const chunk = keys.slice(i, i + ENTITIES_READ_MAX);
      const cached = new Map(chunk.map((key) => [key, session.entities.get(key)]));
      const missing = chunk.filter((key) => !cached.get(key));
      const read =
        missing.length > 0
          ? await readUnreadEntities(this.db, missing, session.partition)
          : new Map<string, LoadedEntity>();
      const loaded = new Map(chunk.map((key) => [key, cached.get(key) ?? read.get(key)!]));
      await this.readAhead(session, loaded, records);
      for (const [key, entity] of loaded) {
        entities.set(key, entity);
        bytes += entity.bytes;
      }
      misses += missing.length;
    }
    foldCacheMisses.inc(misses);
    foldCacheHits.inc(entities.size - misses);
    return entities;
  }

  /**
   * Reads the findings that the events of a batch need by one statement, as far as that is known before they are folded.
   * What an assessment replaces is not known: the signals before it in the batch decide it.
   */
  private async readAhead(
    { partition, position, uploads }: PartitionSession,
    loaded: ReadonlyMap<string, LoadedEntity>,
    records: ReadonlyMap<string, DecodedRecord[]>,
  ): Promise<void> {
    const state = { partition, clock: position.clock, assetCounter: position.assetCounter, uploads };
    const needed: NeededFindings[] = [];
    for (const [key, entity] of loaded) {
      if (!entity.state.assets.some(({ unread }) => unread)) continue;
      for (const { unread } of entity.state.assets) unread?.absent.clear();
      const events = records.get(key)!.filter(({ event }) => event.payload.type !== 'AssessmentClosed');
      needed.push(...neededFindings(state, entity.state, events));
    }
    if (needed.length > 0) await this.readInto(loaded, partition, needed);
  }
}

function recordsByKey(decoded: DecodedRecord[]): Map<string, DecodedRecord[]> {
  const byKey = new Map<string, DecodedRecord[]>();
  for (const one of decoded) {
    const ofKey = byKey.get(one.record.key);
    if (ofKey) ofKey.push(one);
    else byKey.set(one.record.key, [one]);
  }
  return byKey;
}

function measure(records: number, quarantined: number): void {
  foldBatchRecords.observe(records);
  foldedRecords.inc(records);
  quarantinedRecords.inc(quarantined);
}

const statesOf = (entities: ReadonlyMap<string, LoadedEntity>): Map<string, EntityState> =>
  new Map([...entities].map(([key, { state }]) => [key, state]));
