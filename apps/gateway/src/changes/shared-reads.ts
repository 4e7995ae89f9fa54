import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { StreamTopic } from '#libs/changes';

/** Limit of one read. A larger change is read alone. */
export const BOUNDS = { changesMax: 100, bytesMax: 512 * 1024 };
/** A client that resumes after a long time must not use up the connections for pages. */
const READINGS_AT_ONCE = 2;

type Read<Item> = (topic: StreamTopic, partition: number, after: number) => Promise<Item[]>;

/**
 * Reads of the first changes after a position, kept for a while. Clients at the same position share one read; all clients
 * that have caught up are at the same position.
 */
export class SharedReads<Item> {
  private readonly slots = pLimit(READINGS_AT_ONCE);
  private readonly reading = new Map<string, Promise<Item[]>>();
  private readonly known: LRUCache<string, Item[]>;

  /** @param charactersMax of everything that is kept */
  constructor(
    private readonly read: Read<Item>,
    charactersOf: (item: Item) => number,
    charactersMax: number,
  ) {
    this.known = new LRUCache({
      maxSize: charactersMax,
      sizeCalculation: (items) => items.reduce((sum, item) => sum + charactersOf(item), 1),
    });
  }

  /** In order; empty only if there is no change after the sequence. */
  async after(topic: StreamTopic, partition: number, sequence: number): Promise<Item[]> {
    const place = `${topic}/${partition}/${sequence}`;
    const known = this.known.get(place);
    if (known) return known;
    const reading = this.reading.get(place) ?? this.slots(() => this.read(topic, partition, sequence));
    this.reading.set(place, reading);
    try {
      const items = await reading;
      if (items.length > 0) this.known.set(place, items);
      return items;
    } finally {
      this.reading.delete(place);
    }
  }
}
