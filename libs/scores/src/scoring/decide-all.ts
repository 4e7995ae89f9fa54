import { sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';

/** Of the rules by which findings are decided on; a higher one decides on all findings again. */
export const DECISIONS_VERSION = 4;

/**
 * Marks all assets of a partition, whose row is locked, to be scored again if their findings were decided on by earlier
 * rules, or never: scores do not change by it. The number of later rules, of a scorer of a newer version, is kept.
 * @param now epoch ms
 */
export async function decideAll(
  tx: Transaction<Schema>,
  { partition, decisions_version: known }: { partition: number; decisions_version: number },
  now: number,
): Promise<void> {
  if (known >= DECISIONS_VERSION) return;
  await sql`
    insert into rescorings (partition, asset_no, since)
    select partition, asset_no, ${instant(now)} from asset_scores where partition = ${partition}
    order by partition, asset_no
    on conflict do nothing`.execute(tx);
  await tx
    .updateTable('scored_partitions')
    .set({ decisions_version: DECISIONS_VERSION })
    .where('partition', '=', partition)
    .execute();
}
