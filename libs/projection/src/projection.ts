import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { StoredRecord } from '#libs/event-log';
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
import { type DecodedRecord, decodeBatch } from './decode-batch.ts';
import { type CachedEntity, EntityCache, LargeEntity } from './entity-cache.ts';
import { foldBatch } from './fold-batch.ts';
import type { PartitionSession } from './partition-session.ts';
import { readEntities, readPosition, readUploads } from './projection-reader.ts';
import { type CausedChange, StalePositionError, writeBatch } from './projection-writer.ts';

/** Cached entities of one partition; twelve partitions stay within 100 MB. */
const CACHE_BYTES_MAX = 8 * 1024 * 1024;
/** Entities that one batch may hold beside the cache; a single larger entity is folded by itself. */
const BATCH_ENTITY_BYTES_MAX = 32 * 1024 * 1024;
/** Entities read by one statement. */
const ENTITIES_READ_MAX = 100;

/** A record is missing from the log: nothing can be folded past it. */
export class LogHoleError extends Error {
  override name = 'LogHoleError';
}

/** Folds batches of the intake log into the projections, one writer a partition (design "The projector"). */
@Injectable()
export class Projection {
  private readonly logger = new Logger(Projection.name);
  private readonly sessions = new Map<number, PartitionSession>();
  private readonly large = new LargeEntity();
  /** Events folded so far that a wrong clock had stamped, and that changed nothing. */
  setAside = 0;

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Answers the stored position; whatever was known of the partition before is forgotten. */
  async open(partition: number): Promise<number> {
    this.close(partition);
    const position = await readPosition(this.db, partition);
    this.sessions.set(partition, {
      position,
      state: { partition, clock: position.clock, assetCounter: position.assetCounter, uploads: new Map() },
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
   * Folds and writes records of one partition; answers the offset to read next, which lies before the last record
   * where its entities, or what becomes of them, would not fit the memory at once. After a throw the partition is to be
   * opened anew.
   */
  async project(records: StoredRecord[]): Promise<number> {
    const { partition, offset: firstOffset } = records[0]!;
    try {
      const session = this.sessions.get(partition);
      if (session?.position.nextOffset !== firstOffset) return await this.seek(partition, firstOffset);
      return await this.foldAndWrite(session, upToHole(records));
    } catch (error) {
      this.close(partition);
      if (error instanceof StalePositionError) {
        this.logger.warn(`${error.message}: another writer was here; reading the stored position`);
        return this.open(partition);
      }
      throw error;
    }
  }

  private async seek(partition: number, firstOffset: number): Promise<number> {
    const hadSought = this.sessions.get(partition)?.hasJustSought ?? false;
    const nextOffset = await this.open(partition);
    if (hadSought && firstOffset > nextOffset) {
      throw new LogHoleError(
        `partition ${partition} goes on at offset ${firstOffset}, but ${nextOffset} is next: records are missing from the log`,
      );
    }
    return nextOffset;
  }

  private async foldAndWrite(session: PartitionSession, records: StoredRecord[]): Promise<number> {
    const batchEnds = foldBatchSeconds.startTimer();
    const { decoded, quarantined } = decodeBatch(records, session.state.clock);
    await this.loadUploads(session, decoded);
    const entities = await this.loadEntities(session, decoded);
    const firstUnloaded = decoded.findIndex(({ record }) => !entities.has(record.key));
    const folding = firstUnloaded < 0 ? decoded : decoded.slice(0, firstUnloaded);

    const foldEnds = foldSeconds.startTimer();
    const { folded, setAside, ...effects } = foldBatch(session.state, entities, folding);
    foldEnds();
    const nextOffset = decoded[folded]?.record.offset ?? records.at(-1)!.offset + 1;
    const position = {
      nextOffset,
      clock: session.state.clock,
      assetCounter: session.state.assetCounter,
      findingSequence: session.position.findingSequence + countOf(effects.changes, 'finding'),
      assetSequence: session.position.assetSequence + countOf(effects.changes, 'asset'),
    };
    const batch = {
      ...effects,
      partition: session.state.partition,
      firstOffset: session.position.nextOffset,
      position,
      quarantined: quarantined.filter(({ record }) => record.offset < nextOffset),
    };
    const transactionEnds = foldTransactionSeconds.startTimer();
    const attributes = { 'posture.partition': batch.partition, 'posture.changes': batch.changes.length };
    await inSpan('transaction', { attributes }, () => writeBatch(this.db, batch));
    transactionEnds();
    batchEnds();
    measure(nextOffset - batch.firstOffset, batch.quarantined.length);
    this.noteSetAside(batch.partition, setAside);
    session.position = position;
    session.hasJustSought = false;
    for (const [key, entity] of entities) session.entities.set(key, entity);
    return nextOffset;
  }

  private noteSetAside(partition: number, events: number): void {
    if (events === 0) return;
    this.setAside += events;
    eventsStampedAhead.inc(events);
    this.logger.warn(
      `partition ${partition}: ${events} events have no effect: the clock of the program that stamped them was ahead`,
    );
  }

  /** Keeps the uploads of this batch alone: an upload that goes on is among them. */
  private async loadUploads({ state }: PartitionSession, decoded: DecodedRecord[]): Promise<void> {
    const ids = new Set(decoded.flatMap(({ event }) => event.envelope.cause.uploadId ?? []));
    for (const id of state.uploads.keys()) if (!ids.has(id)) state.uploads.delete(id);
    const missing = [...ids].filter((id) => !state.uploads.has(id));
    if (missing.length === 0) return;
    for (const upload of await readUploads(this.db, state.partition, missing)) {
      state.uploads.set(upload.uploadId, upload);
    }
  }

  /** The entities of the records, as many of the first as the memory holds, at least one. */
  private async loadEntities(
    session: PartitionSession,
    decoded: DecodedRecord[],
  ): Promise<Map<string, CachedEntity>> {
    const keys = [...new Set(decoded.map(({ record }) => record.key))];
    const entities = new Map<string, CachedEntity>();
    let bytes = 0;
    let misses = 0;
    for (let i = 0; i < keys.length && bytes < BATCH_ENTITY_BYTES_MAX; i += ENTITIES_READ_MAX) {
      const chunk = keys.slice(i, i + ENTITIES_READ_MAX);
      const cached = new Map(chunk.map((key) => [key, session.entities.get(key)]));
      const missing = chunk.filter((key) => !cached.get(key));
      const read =
        missing.length > 0 ? await readEntities(this.db, missing) : new Map<string, CachedEntity>();
      for (const key of chunk) {
        const entity = cached.get(key) ?? read.get(key)!;
        entities.set(key, entity);
        bytes += entity.bytes;
      }
      misses += missing.length;
    }
    foldCacheMisses.inc(misses);
    foldCacheHits.inc(entities.size - misses);
    return entities;
  }
}

function measure(records: number, quarantined: number): void {
  foldBatchRecords.observe(records);
  foldedRecords.inc(records);
  quarantinedRecords.inc(quarantined);
}

/** What follows a hole in the log comes again, by itself, and is refused then. */
function upToHole(records: StoredRecord[]): StoredRecord[] {
  const [first] = records;
  const hole = records.findIndex(({ offset }, i) => offset !== first!.offset + i);
  return hole < 0 ? records : records.slice(0, hole);
}

const countOf = (changes: CausedChange[], kind: 'asset' | 'finding') =>
  changes.reduce((count, { change }) => count + Number(change.kind === kind), 0);
