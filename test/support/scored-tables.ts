import type { TestDatabase } from './database.ts';

const TABLES = [
  'scored_partitions',
  'asset_scores',
  'finding_decisions',
  'score_history',
  'score_sums',
  'score_changes',
  'rescorings',
  'catalogue_rows',
];

/** Leaves a database as if nothing had ever been scored in it, and no catalogue imported. */
export async function emptyScored({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  await pool.query(TABLES.map((name) => `delete from ${name}`).join(';'));
}
