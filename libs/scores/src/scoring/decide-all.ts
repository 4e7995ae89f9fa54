import { sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { ChoiceTimeline } from '#libs/domain';
import { markAll } from './follow-choices.ts';

/** Of the rules by which findings are decided on; a higher one decides on all findings again. */
export const DECISIONS_VERSION = 6;

/** The first rules that count failing instances alone: scores of posture-2 by earlier ones, which no release had, change. */
const BY_FAILING_INSTANCES = 5;

/**
 * Marks all assets of a partition, whose row is locked, to be scored again if their findings were decided on by earlier
 * rules, or never. The number of later rules, of a scorer of a newer version, is kept.
 * @param now epoch ms
 */
export async function decideAll(
  tx: Transaction<Schema>,
  { partition, decisions_version: known }: { partition: number; decisions_version: number },
  choices: ChoiceTimeline,
  now: number,
): Promise<void> {
  if (known >= DECISIONS_VERSION) return;
  const chosen = choices.find(({ value }) => value.model === 'posture-2');
  if (known < BY_FAILING_INSTANCES && chosen) await markAll(tx, partition, chosen.from);
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
