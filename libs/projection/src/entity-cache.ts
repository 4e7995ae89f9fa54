import { LRUCache } from 'lru-cache';
import type { EntityState } from '#libs/domain';

/** An entity's state as of the position of its partition's session, and what it weighs. */
export interface CachedEntity {
  state: EntityState;
  /** Estimate: length of the stored JSON; grows with every change until the entity is loaded anew. */
  bytes: number;
}

/** Text in memory, with the objects around it, takes about this many bytes for each character of JSON. */
const BYTES_PER_CHARACTER = 3;
const EMPTY_ENTITY_BYTES = 1024;

/**
 * Room for one entity, of all partitions, that is larger than a cache: the last that was folded. Its signals come one
 * behind the other, and each batch of them would read all of it again.
 */
export class LargeEntity {
  private kept: { cache: EntityCache; key: string; entity: CachedEntity } | undefined;

  get(cache: EntityCache, key: string): CachedEntity | undefined {
    return this.kept?.cache === cache && this.kept.key === key ? this.kept.entity : undefined;
  }

  set(cache: EntityCache, key: string, entity: CachedEntity): void {
    this.kept = { cache, key, entity };
  }

  /** As estimated. */
  get bytes(): number {
    return this.kept?.entity.bytes ?? 0;
  }

  clear(cache: EntityCache): void {
    if (this.kept?.cache === cache) this.kept = undefined;
  }
}

/**
 * Entity states of one partition, least recently used first out. Valid for the exact offset that its session is at:
 * whoever loses that offset throws the cache away.
 */
export class EntityCache {
  private readonly entities: LRUCache<string, CachedEntity>;

  /** @param large of all partitions */
  constructor(
    readonly bytesMax: number,
    private readonly large: LargeEntity,
  ) {
    this.entities = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ bytes }) => bytes });
  }

  get(key: string): CachedEntity | undefined {
    return this.entities.get(key) ?? this.large.get(this, key);
  }

  set(key: string, entity: CachedEntity): void {
    this.entities.set(key, entity);
    if (entity.bytes > this.bytesMax) this.large.set(this, key, entity);
  }

  /** As estimated, without the large one. */
  get bytes(): number {
    return this.entities.calculatedSize;
  }

  clear(): void {
    this.entities.clear();
    this.large.clear(this);
  }
}

export const entityBytes = (jsonCharacters: number): number =>
  EMPTY_ENTITY_BYTES + BYTES_PER_CHARACTER * jsonCharacters;
