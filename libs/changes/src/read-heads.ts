import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type ChangeVector, STREAM_TOPICS, type StreamTopic } from './change-cursor.ts';

/** How far the changes of all partitions reach: the sequence of the last one of each, 0 if there is none. */
export async function readHeads(db: Kysely<Schema>, partitions: number): Promise<ChangeVector> {
  const none = () => new Array<number>(partitions).fill(0);
  const heads: ChangeVector = { assets: none(), findings: none(), scores: none() };
  const { rows } = await sql<{ partition: number } & Record<StreamTopic, number | null>>`
    select partition, p.asset_sequence as assets, p.finding_sequence as findings, s.sequence as scores
    from projection_positions p full join scored_partitions s using (partition)
    where partition < ${partitions}`.execute(db);
  for (const { partition, ...sequences } of rows) {
    for (const topic of STREAM_TOPICS) heads[topic][partition] = sequences[topic] ?? 0;
  }
  return heads;
}
