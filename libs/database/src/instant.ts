import { type RawBuilder, sql } from 'kysely';

/** SQL of an instant in epoch milliseconds. */
export const instant = (ms: number): RawBuilder<number> =>
  sql<number>`${new Date(ms).toISOString()}::timestamptz`;
