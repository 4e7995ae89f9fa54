import type { Database } from '#libs/database';

/** A connection or a pool, for statements that Kysely has no words for. */
export type Queryable = Pick<Database['pool'], 'query'>;

/** One connection of a pool, for transactions and streams. */
export interface Connection extends Queryable {
  release(isBroken?: boolean): void;
}
