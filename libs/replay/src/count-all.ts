import { countTotals } from '#libs/projection';
import { longQuery } from './long-query.ts';
import type { Connection } from './queryable.ts';

/** Findings that one statement counts. */
const FINDINGS_MAX = 500_000;

/** Counts the totals of a partition whose rows were copied. @param connection in a transaction */
export async function countAll(connection: Connection, partition: number): Promise<void> {
  const query = (statement: string, values: unknown[]) => connection.query(longQuery(statement, values));
  while (await countTotals(query, partition, FINDINGS_MAX));
}
