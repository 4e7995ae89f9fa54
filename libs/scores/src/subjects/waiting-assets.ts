import { type RawBuilder, sql } from 'kysely';
import { instant } from '#libs/database';

/**
 * SQL of the partitions and numbers of the assets whose stored score may be stale at an instant, in epoch milliseconds: they, their
 * findings or a catalogue changed, or a finding ended, and they were not scored since. Mostly none.
 */
export const waitingAssets = (at: number): RawBuilder<unknown> => sql`
  select h.partition, h.asset_no from projection_positions p left join scored_partitions s using (partition)
  join asset_history h on h.partition = p.partition and h.sequence > coalesce(s.asset_sequence, 0)
  union
  select h.partition, h.asset_no from projection_positions p left join scored_partitions s using (partition)
  join finding_history h on h.partition = p.partition and h.sequence > coalesce(s.finding_sequence, 0)
  union
  select partition, asset_no from rescorings
  union
  select partition, asset_no from asset_scores where due_at <= ${instant(at)}`;
