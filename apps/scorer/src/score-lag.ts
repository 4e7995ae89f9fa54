import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { scoreLagChanges } from '#libs/telemetry';

/** Tells how many changes of findings and assets are written and not looked at; for all scorers alike. */
export async function tellScoreLag(db: Kysely<Schema>): Promise<void> {
  scoreLagChanges.remove();
  const { rows } = await sql<{ changes: number }>`
    select coalesce(sum(
      greatest(0, p.finding_sequence - coalesce(s.finding_sequence, 0))
      + greatest(0, p.asset_sequence - coalesce(s.asset_sequence, 0))
    ), 0)::bigint as changes
    from projection_positions p left join scored_partitions s using (partition)`.execute(db);
  scoreLagChanges.set(rows[0]!.changes);
}
