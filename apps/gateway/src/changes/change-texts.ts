import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { readChanges, type StreamTopic } from '#libs/changes';
import { DATABASE, type Schema } from '#libs/database';
import { eventText } from './event-text.ts';

/** Limit of one read. A larger change is read alone. */
const BOUNDS = { changesMax: 100, bytesMax: 512 * 1024 };
const CACHE_CHARACTERS_MAX = 8 * 1024 * 1024;
/** A client that resumes after a long time must not use up the connections for pages. */
const READINGS_AT_ONCE = 2;

/**
 * The changes as texts of the stream, for all clients. Clients at the same position share one read; all clients that
 * have caught up are at the same position.
 */
@Injectable()
export class ChangeTexts {
  private readonly slots = pLimit(READINGS_AT_ONCE);
  private readonly reading = new Map<string, Promise<string[]>>();
  private readonly known = new LRUCache<string, string[]>({
    maxSize: CACHE_CHARACTERS_MAX,
    sizeCalculation: (texts) => texts.reduce((sum, text) => sum + text.length, 1),
  });

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** The first changes of a partition after a sequence, in order; empty only if there is none. */
  async after(topic: StreamTopic, partition: number, sequence: number): Promise<string[]> {
    const place = `${topic}/${partition}/${sequence}`;
    const known = this.known.get(place);
    if (known) return known;
    const reading = this.reading.get(place) ?? this.slots(() => this.read(topic, partition, sequence));
    this.reading.set(place, reading);
    try {
      const texts = await reading;
      if (texts.length > 0) this.known.set(place, texts);
      return texts;
    } finally {
      this.reading.delete(place);
    }
  }

  private async read(topic: StreamTopic, partition: number, after: number): Promise<string[]> {
    const changes = await readChanges(this.db, topic, { partition, after }, BOUNDS);
    return changes.map(({ kind, changed }) => eventText(kind, changed));
  }
}
