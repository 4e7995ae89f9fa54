import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { scoreLagChanges } from '#libs/telemetry';

/** Reports the number of changes of findings and assets that no scorer has processed, over all partitions. */
export async function reportScoreLag(db: Kysely<Schema>): Promise<void> {
  scoreLagChanges.remove();
  const { rows } = await sql<{ changes: number }>`
    select coalesce(sum(
      greatest(0, p.finding_sequence - coalesce(s.finding_sequence, 0))
      + greatest(0, p.asset_sequence - coalesce(s.asset_sequence, 0))
    ), 0)::bigint as changes
    from projection_positions p left join scored_partitions s using (partition)`.execute(db);
  scoreLagChanges.set(rows[0]!.changes);
}
