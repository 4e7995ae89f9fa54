import type { Kysely } from 'kysely';
import { cursorAt, parseCursor, readHeads } from '#libs/changes';
import { FINDINGS_TOPIC } from '#libs/contracts';
import type { Schema } from '#libs/database';

/** A reader of the history that has not read all changes from before the boundary. */
interface SlowReader {
  /** `publisher`, `scorer`, or the id of a webhook. */
  reader: string;
  partitions: number;
}

export interface HistoryLimits {
  /** Partition → the last sequence of a finding's change that can be looked at. */
  through: number[];
  /** Readers that limit it. */
  waitingFor: SlowReader[];
}

/** Partition → the sequence up to which a reader has read. */
type Reached = (partition: number) => number;

/**
 * How far the history can be trimmed, for states from `before` (epoch ms) on: changes that were not published, delivered
 * or scored yet stay. A webhook that is off or paused holds nothing back: it is paused for the gap when it continues.
 */
export async function historyLimits(
  db: Kysely<Schema>,
  partitions: number,
  before: number,
): Promise<HistoryLimits> {
  const heads = await readHeads(db, partitions);
  const { findings } = await cursorAt(db, ['findings'], before + 1, heads);
  const boundary = findings!;
  const readers = await readersOf(db);
  const waitingFor = [...readers].flatMap(([reader, reached]) => {
    const behind = boundary.filter((sequence, partition) => reached(partition) < sequence).length;
    return behind === 0 ? [] : [{ reader, partitions: behind }];
  });
  const through = boundary.map((sequence, partition) =>
    Math.min(sequence, ...[...readers.values()].map((reached) => reached(partition))),
  );
  return { through, waitingFor };
}

async function readersOf(db: Kysely<Schema>): Promise<Map<string, Reached>> {
  const published = await db
    .selectFrom('published_changes')
    .select(['partition', 'sequence'])
    .where('topic', '=', FINDINGS_TOPIC)
    .execute();
  const scored = await db
    .selectFrom('scored_partitions')
    .select(['partition', 'finding_sequence as sequence'])
    .execute();
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'position'])
    .where('enabled', '=', true)
    .where('paused', 'is', null)
    .execute();
  return new Map<string, Reached>([
    ['publisher', reachedOf(published)],
    ['scorer', reachedOf(scored)],
    ...webhooks.flatMap(({ id, position }): [string, Reached][] => {
      const followed = parseCursor(position)?.findings;
      return followed ? [[id, (partition) => followed[partition] ?? 0]] : [];
    }),
  ]);
}

function reachedOf(rows: { partition: number; sequence: number }[]): Reached {
  const sequences = new Map(rows.map(({ partition, sequence }) => [partition, sequence]));
  return (partition) => sequences.get(partition) ?? 0;
}
