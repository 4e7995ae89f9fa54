import { longQuery } from './long-query.ts';
import type { Queryable } from './queryable.ts';

/** The result of a replay is not that of a fold: it is not swapped in. */
export class ShadowCheckError extends Error {
  override name = 'ShadowCheckError';
}

const changesIn = (schema: string, history: 'asset' | 'finding'): string =>
  `(select partition, count(*) as changes from ${schema}.${history}_history group by 1) h`;

/** Invariants of every fold, each as a query for violations. */
const INVARIANTS: Record<string, (schema: string) => string> = {
  'the history of findings has gaps': (schema) =>
    `select partition from ${schema}.projection_positions
       left join ${changesIn(schema, 'finding')} using (partition)
       left join (select partition, sum(removed) as removed from ${schema}.history_trims group by 1) t using (partition)
      where finding_sequence <> coalesce(changes, 0) + coalesce(removed, 0)`,
  'the history of assets has gaps': (schema) =>
    `select partition from ${schema}.projection_positions
       left join ${changesIn(schema, 'asset')} using (partition)
      where asset_sequence <> coalesce(changes, 0)`,
  'findings lack an asset or a last sighting': (schema) =>
    `select findings.partition from ${schema}.findings
       left join ${schema}.assets using (partition, asset_no)
       left join ${schema}.finding_seen using (partition, asset_no, finding_no)
      where assets.asset_no is null or finding_seen.asset_no is null`,
};

/**
 * Reads all of the shadow.
 * @param connection without a `statement_timeout`
 * @throws ShadowCheckError
 */
export async function checkShadow(connection: Queryable, schema: string): Promise<void> {
  for (const [sentence, violations] of Object.entries(INVARIANTS)) {
    const { rows } = await connection.query(
      longQuery(`select exists (${violations(schema)}) as is_violated`),
    );
    if (rows[0].is_violated) throw new ShadowCheckError(`the replayed tables are wrong: ${sentence}`);
  }
}
