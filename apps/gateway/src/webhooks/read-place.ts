import { BadRequestException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { type ChangeCursor, type ChangeVector, cursorAt, parseCursor, type StreamTopic } from '#libs/changes';
import type { Schema } from '#libs/database';
import { readInstant } from '#libs/domain';

export interface PlaceToRead {
  /** A position or an instant. */
  from: string;
  topics: readonly StreamTopic[];
  heads: ChangeVector;
}

/**
 * The place that `from` means: of all topics for an instant, of those that it speaks of for a position.
 * @throws BadRequestException where it is neither a position of this installation nor an instant
 */
export async function readPlace(
  db: Kysely<Schema>,
  { from, topics, heads }: PlaceToRead,
): Promise<ChangeCursor> {
  const at = readInstant(from);
  if (at !== null) return cursorAt(db, topics, at, heads);
  const given = parseCursor(from);
  if (!given) {
    throw new BadRequestException(
      'from must be a position, as events have it, or an ISO 8601 instant with a zone, such as 2026-01-31T12:00:00Z',
    );
  }
  const named = topics.filter((topic) => given[topic]);
  if (named.length === 0) throw new BadRequestException('from is a position of none of its topics');
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
    'from lies ahead of all changes here, or is of other partitions, so it is not of this installation: give an instant',
  );
}
