import type { Kysely } from 'kysely';
import type { ChangeCursor } from '#libs/changes';
import type { Schema } from '#libs/database';

/** Heads without the changes of findings whose SSVC decisions are not computed yet. */
export async function scoredHeads(db: Kysely<Schema>, heads: ChangeCursor): Promise<ChangeCursor> {
  const rows = await db.selectFrom('scored_partitions').select(['partition', 'finding_sequence']).execute();
  const scored = new Map(rows.map(({ partition, finding_sequence }) => [partition, finding_sequence]));
  const findings = heads.findings?.map((head, partition) => Math.min(head, scored.get(partition) ?? 0));
  return { ...heads, ...(findings && { findings }) };
}
