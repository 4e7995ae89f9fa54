import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from './intake-topic.ts';

/** Exists from the first record of `posture import-log` to its end: no program may start on a part of a log. */
const SCHEMA = 'posture_import';
const BEGUN = sql.table(`${SCHEMA}.begun`);

/** Why no program starts, and no command works, on a part of a log. */
export const IMPORT_UNFINISHED =
  'A `posture import-log` into this site has not ended: wait for it or, if it was interrupted, run the same command again.';

/** @param ends of the log that is imported: next offset of each partition */
export async function markImport(db: Kysely<Schema>, ends: readonly number[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await unmarkImport(transaction);
    await sql`create schema ${sql.ref(SCHEMA)}`.execute(transaction);
    await sql`create table ${BEGUN} (ends jsonb not null)`.execute(transaction);
    await sql`insert into ${BEGUN} values (${JSON.stringify(ends)})`.execute(transaction);
    // Programs can have roles of their own.
    await sql`grant usage on schema ${sql.ref(SCHEMA)} to public`.execute(transaction);
    await sql`grant select on ${BEGUN} to public`.execute(transaction);
  });
}

export async function unmarkImport(db: Kysely<Schema>): Promise<void> {
  await sql`drop schema if exists ${sql.ref(SCHEMA)} cascade`.execute(db);
}

/** Whether an import has begun and not ended. */
export const isBeingImported = async (db: Kysely<Schema>): Promise<boolean> =>
  (await endsOfImport(db)) !== undefined;

/**
 * Whether an import has begun and not ended, and a log lacks records of it. The log in the database, which a move to
 * Kafka leaves as it is, lacks none.
 */
export async function isPartlyImported(db: Kysely<Schema>, log: Pick<EventLog, 'ends'>): Promise<boolean> {
  const imported = await endsOfImport(db);
  if (!imported) return false;
  const ends = await log.ends(INTAKE_TOPIC);
  return imported.some((end, partition) => end > (ends[partition] ?? 0));
}

async function endsOfImport(db: Kysely<Schema>): Promise<number[] | undefined> {
  const { rows: schemas } = await sql<{ is_marked: boolean }>`
    select to_regnamespace(${SCHEMA}) is not null as is_marked`.execute(db);
  if (!schemas[0]!.is_marked) return undefined;
  const { rows } = await sql<{ ends: number[] }>`select ends from ${BEGUN}`.execute(db);
  return rows[0]!.ends;
}
