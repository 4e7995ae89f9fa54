import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Waits until no other transaction has locked the name, and locks it until the end of this one. */
export async function lockByName(transaction: Kysely<Schema>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
