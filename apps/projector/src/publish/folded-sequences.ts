import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';

/** How many changes of each kind the partition has had. */
export async function foldedSequences(
  db: Kysely<Schema>,
  partition: number,
): Promise<{ asset: number; finding: number }> {
  const row = await db
    .selectFrom('projection_positions')
    .select(['asset_sequence as asset', 'finding_sequence as finding'])
    .where('partition', '=', partition)
    .executeTakeFirst();
  return row ?? { asset: 0, finding: 0 };
}
