import type { TestDatabase } from './database.ts';
import { until } from './until.ts';

/** Resolves when everything that is folded is scored. */
export const untilScored = (pool: TestDatabase['pool']): Promise<void> =>
  until('the scorer', async () => {
    const { rows } = await pool.query(
      `select from projection_positions p left join scored_partitions s using (partition)
        where p.finding_sequence > coalesce(s.finding_sequence, 0) or p.asset_sequence > coalesce(s.asset_sequence, 0)`,
    );
    return rows.length === 0;
  });
