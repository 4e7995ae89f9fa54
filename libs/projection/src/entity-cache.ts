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
 * Entity states of one partition, least recently used first out. Valid for the exact offset that its session is at:
 * whoever loses that offset throws the cache away.
 */
export class EntityCache {
  private readonly entities: LRUCache<string, CachedEntity>;

  constructor(readonly bytesMax: number) {
    this.entities = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ bytes }) => bytes });
  }

  get(key: string): CachedEntity | undefined {
    return this.entities.get(key);
  }

  set(key: string, entity: CachedEntity): void {
    this.entities.set(key, entity);
  }

  /** As estimated. */
  get bytes(): number {
    return this.entities.calculatedSize;
  }

  clear(): void {
    this.entities.clear();
  }
}

export const entityBytes = (jsonCharacters: number): number =>
  EMPTY_ENTITY_BYTES + BYTES_PER_CHARACTER * jsonCharacters;
