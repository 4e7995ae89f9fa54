import { BadRequestException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { type ChangeCursor, type ChangeVector, cursorAt, type StreamTopic } from '#libs/changes';
import type { Schema } from '#libs/database';
import { readInstant } from '#libs/domain';
import { assertChangesKept } from '../paging/kept-history.ts';

export interface PlaceToRead {
  /** A position or an instant. */
  from: string;
  topics: readonly StreamTopic[];
  heads: ChangeVector;
  /** Null if a text is no position that the caller may use. */
  read: (text: string) => ChangeCursor | null;
}

/**
 * The position that `from` means. An instant gives a position in all topics; a position keeps the topics that it
 * contains.
 * @throws BadRequestException if it is neither a position of this installation nor an instant; GoneException if changes
 * after it were removed
 */
export async function readPlace(db: Kysely<Schema>, place: PlaceToRead): Promise<ChangeCursor> {
  const cursor = await placeOf(db, place);
  await assertChangesKept(db, 'from', cursor.findings);
  return cursor;
}

async function placeOf(
  db: Kysely<Schema>,
  { from, topics, heads, read }: PlaceToRead,
): Promise<ChangeCursor> {
  const at = readInstant(from);
  if (at !== null) return cursorAt(db, topics, at, heads);
  const given = read(from);
  if (!given) {
    throw new BadRequestException(
      'from must be the position of an event, or an ISO 8601 time with a zone, such as 2026-01-31T12:00:00Z',
    );
  }
  const named = topics.filter((topic) => given[topic]);
  if (named.length === 0)
    throw new BadRequestException('from must be a position that contains a topic of the webhook');
  return Object.fromEntries(named.map((topic) => [topic, pastOf(given[topic]!, heads[topic])]));
}

function pastOf(sequences: number[], heads: number[]): number[] {
  if (
    sequences.length === heads.length &&
    sequences.every((sequence, partition) => sequence <= heads[partition]!)
  ) {
    return sequences;
  }
  throw new BadRequestException(
    'from must be a position of this installation: it is after the last change or has different partitions. Use a time instead',
  );
}
