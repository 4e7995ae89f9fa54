import { longQuery } from './long-query.ts';
import type { Queryable } from './queryable.ts';

/** The result of a replay is not that of a fold: it is not swapped in. */
export class ShadowCheckError extends Error {
  override name = 'ShadowCheckError';
}

/** Invariants of every fold, each as a query for violations. */
const INVARIANTS: Record<string, (schema: string) => string> = {
  'the history of findings has gaps': (schema) =>
    `select from ${schema}.projection_positions p
      where finding_sequence <> (select count(*) from ${schema}.finding_history h where h.partition = p.partition)
        + coalesce((select sum(removed) from ${schema}.history_trims t where t.partition = p.partition), 0)`,
  'the history of assets has gaps': (schema) =>
    `select from ${schema}.projection_positions p
      where asset_sequence <> (select count(*) from ${schema}.asset_history h where h.partition = p.partition)`,
  'findings lack an asset or a last sighting': (schema) =>
    `select from ${schema}.findings
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
