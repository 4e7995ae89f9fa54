import { type Kysely, sql } from 'kysely';
import type { AssetChanged } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { type AssetHistoryRow, assetChanged } from './asset-changed.ts';
import { assertGapFree, type ChangeBounds, type HistoryRange } from './history-range.ts';
import { historyRows } from './history-rows.ts';

/**
 * The first changes of assets of a range, in order; empty only if the range has none. As `readFindingChanges`.
 * @throws HistoryGapError
 */
export async function readAssetChanges(
  db: Kysely<Schema>,
  range: HistoryRange,
  bounds: ChangeBounds,
): Promise<AssetChanged[]> {
  const { partition } = range;
  const { rows } = await sql<AssetHistoryRow>`
    select h.sequence, h.at, h.change, h.cause, h.log_offset, h.state, h.bytes, s.last_seen
    from (${historyRows('asset_history', range, bounds)}) as h
    join asset_seen s using (partition, asset_no)
    where s.partition = ${partition}
    order by h.sequence`.execute(db);
  assertGapFree('asset_history', range, rows);
  return rows.map((row) => assetChanged(row, partition));
}
