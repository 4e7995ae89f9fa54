import { type Kysely, sql } from 'kysely';
import { SEQUENCE_HEADER } from '#libs/changes';
import type { Schema } from '#libs/database';
import type { StoredRecord } from '#libs/event-log';

/** The last published sequence: of the output partition's last record, or as noted if there is none. */
export async function lastPublished(
  db: Kysely<Schema>,
  topic: string,
  partition: number,
  last: StoredRecord | null,
): Promise<number> {
  if (last) return numberOf(last, SEQUENCE_HEADER);
  const noted = await db
    .selectFrom('published_changes')
    .select('sequence')
    .where('topic', '=', topic)
    .where('partition', '=', partition)
    .executeTakeFirst();
  return noted?.sequence ?? 0;
}

/**
 * A later note of another process stays. It does not wait for the disk: a power cut takes back the last of the notes, and
 * the output's own records are more accurate.
 */
export async function notePublished(
  db: Kysely<Schema>,
  topic: string,
  partition: number,
  sequence: number,
): Promise<void> {
  await sql`
    /* note_published */
    insert into published_changes as noted (topic, partition, sequence)
    select ${topic}, ${partition}::int, ${sequence}::bigint from set_config('synchronous_commit', 'off', true)
    on conflict (topic, partition) do update set sequence = greatest(noted.sequence, excluded.sequence)`.execute(
    db,
  );
}

/**
 * A whole number from the headers of a record of ours.
 * @throws Error if the record is not of ours: nothing can be published after it in order
 */
export function numberOf({ headers, partition, offset }: StoredRecord, header: string): number {
  const text = headers[header];
  if (text === undefined || !/^\d{1,16}$/.test(text)) {
    throw new Error(
      `the record at ${partition}/${offset} has no header ${header}: it was not published by this service`,
    );
  }
  return Number(text);
}
