import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { readChanges, type StreamTopic } from '#libs/changes';
import { DATABASE, type Schema } from '#libs/database';
import { eventText } from './event-text.ts';
import { BOUNDS, SharedReads } from './shared-reads.ts';

const CACHE_CHARACTERS_MAX = 8 * 1024 * 1024;

/** The changes as texts of the stream, for all clients. */
@Injectable()
export class ChangeTexts {
  private readonly reads = new SharedReads<string>(
    (...place) => this.read(...place),
    (text) => text.length,
    CACHE_CHARACTERS_MAX,
  );

  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** The first changes of a partition after a sequence, in order; empty only if there is none. */
  after(topic: StreamTopic, partition: number, sequence: number): Promise<string[]> {
    return this.reads.after(topic, partition, sequence);
  }

  private async read(topic: StreamTopic, partition: number, after: number): Promise<string[]> {
    const changes = await readChanges(this.db, topic, { partition, after }, BOUNDS);
    return changes.map(({ kind, changed }) => eventText(kind, changed));
  }
}
