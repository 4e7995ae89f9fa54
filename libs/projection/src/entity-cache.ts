import { LRUCache } from 'lru-cache';
import type { LoadedEntity } from '#libs/tables';

/**
 * Room for one entity, of all partitions, that is larger than a cache: the last that was folded. Its signals arrive one
 * after the other, and each batch of them would read all of it again.
 */
export class LargeEntity {
  private kept: { cache: EntityCache; key: string; entity: LoadedEntity } | undefined;

  get(cache: EntityCache, key: string): LoadedEntity | undefined {
    return this.kept?.cache === cache && this.kept.key === key ? this.kept.entity : undefined;
  }

  set(cache: EntityCache, key: string, entity: LoadedEntity): void {
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
 * a session that loses that offset discards the cache.
 */
export class EntityCache {
  private readonly entities: LRUCache<string, LoadedEntity>;

  /** @param large of all partitions */
  constructor(
    readonly bytesMax: number,
    private readonly large: LargeEntity,
  ) {
    this.entities = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ bytes }) => bytes });
  }

  get(key: string): LoadedEntity | undefined {
    return this.entities.get(key) ?? this.large.get(this, key);
  }

  set(key: string, entity: LoadedEntity): void {
    // Of a value that it has already, the library keeps the size, and entities grow.
    this.entities.delete(key);
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
