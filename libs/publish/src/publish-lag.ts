import { type Kysely, sql } from 'kysely';
import { ASSETS_TOPIC, FINDINGS_TOPIC, SCORES_TOPIC } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { publishLagChanges } from '#libs/telemetry';

/** Reports how many changes are written and not noted as published; read from the database, the same for all processes. */
export async function reportPublishLag(db: Kysely<Schema>): Promise<void> {
  publishLagChanges.reset();
  const { rows } = await sql<{ topic: string; changes: number }>`
    with written as (
      select ${FINDINGS_TOPIC}::text as topic, partition, finding_sequence as sequence from projection_positions
      union all select ${ASSETS_TOPIC}::text, partition, asset_sequence from projection_positions
      union all select ${SCORES_TOPIC}::text, partition, sequence from scored_partitions
    )
    select topic, sum(greatest(0, w.sequence - coalesce(p.sequence, 0)))::bigint as changes
    from written w left join published_changes p using (topic, partition) group by topic`.execute(db);
  for (const { topic, changes } of rows) publishLagChanges.set({ topic }, changes);
}
