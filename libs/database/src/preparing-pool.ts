import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { endsConnection } from './connection-error.ts';

/** For statements that are long and always the same: PostgreSQL need not parse and plan them each time. */
const NAMED = /^\s*\/\* (\w+) \*\//;

/** The pool as Kysely takes it, which itself has no names for statements. */
export const preparingPool = (pool: pg.Pool): PostgresPool => ({
  connect: async () => {
    const client = await pool.connect();
    pipeline(client, true);
    return preparingClient(client);
  },
  end: () => pool.end(),
});

/** One connection of it. */
export function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  // A transaction may be open on it.
  let loss: unknown;
  const query = async (text: string, values: unknown[]) => {
    // Such as a rollback, which would wait for the answer too.
    if (loss) throw loss;
    const name = NAMED.exec(text)?.[1];
    try {
      return await client.query(name === undefined ? { text, values } : { name, text, values });
    } catch (error) {
      if (endsConnection(error)) loss = error;
      throw error;
    }
  };
  // The other overload of `query` is for cursors, which are never opened through Kysely.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => {
      pipeline(client, false);
      client.release(Boolean(loss));
    },
  };
}

/** While `isOn`, pg sends a statement although others are not answered yet (`atOnce`), and refuses to copy rows. */
const pipeline = (client: pg.PoolClient, isOn: boolean) => Object.assign(client, { pipeline: isOn });
