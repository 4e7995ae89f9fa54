import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Statement that reads whether there is a catalogue of Citus, as `isDivided`. */
export const IS_DIVIDED = `select to_regclass('pg_dist_partition') is not null as "isDivided"`;

const known = new WeakMap<object, Promise<boolean>>();

/**
 * Whether the tables can be divided over machines by partition (deploy/citus). Asked once for a pool. Such a database
 * refuses statements whose joins do not name the partition, or plans them badly; on one machine, those have better
 * indexes.
 */
export function isDivided(db: Kysely<Schema>): Promise<boolean> {
  const asked = known.get(db) ?? ask(db);
  known.set(db, asked);
  // Asked again if the database was away.
  asked.catch(() => known.delete(db));
  return asked;
}

async function ask(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql.raw<{ isDivided: boolean }>(IS_DIVIDED).execute(db);
  return rows[0]!.isDivided;
}
