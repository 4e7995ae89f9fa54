import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '#libs/database';

/** Of rows with whole findings in them. */
const ROWS_MAX = 100;

/**
 * The rows of a query, 100 in memory at a time, however many it finds; to be read to its end before another one is. Where
 * the reader throws, the transaction ends, and the cursor with it.
 */
export async function* inPieces<T>(tx: Transaction<Schema>, query: RawBuilder<T>): AsyncGenerator<T> {
  await sql`declare pieces no scroll cursor for ${query}`.execute(tx);
  for (let found = ROWS_MAX; found === ROWS_MAX; ) {
    const { rows } = await sql<T>`fetch ${sql.lit(ROWS_MAX)} from pieces`.execute(tx);
    yield* rows;
    found = rows.length;
  }
  await sql`close pieces`.execute(tx);
}
