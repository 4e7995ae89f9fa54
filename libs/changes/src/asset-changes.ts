import { type Kysely, sql } from 'kysely';
import type { AssetChanged } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { type AssetHistoryRow, assetChanged } from './asset-changed.ts';
import { assertGapFree, type ChangeBounds, type HistoryRange } from './history-range.ts';

/**
 * The first changes of assets of a range, in order; empty only if the range has none. As `readFindingChanges`.
 * @throws HistoryGapError
 */
export async function readAssetChanges(
  db: Kysely<Schema>,
  range: HistoryRange,
  { changesMax, bytesMax }: ChangeBounds,
): Promise<AssetChanged[]> {
  const { partition, after } = range;
  const { rows } = await sql<AssetHistoryRow>`
    select h.sequence, h.at, h.change, h.cause, h.log_offset, h.state, s.last_seen
    from (
      select *, sum(bytes) over (order by sequence) as bytes_so_far
      from (
        select *, octet_length(state::text) as bytes from asset_history
        where partition = ${partition} and sequence > ${after}
        order by sequence limit ${changesMax}
      ) as candidates
    ) as h
    join asset_seen s using (partition, asset_no)
    where s.partition = ${partition} and (h.bytes_so_far <= ${bytesMax} or h.bytes_so_far = h.bytes)
    order by h.sequence`.execute(db);
  assertGapFree('asset_history', range, rows);
  return rows.map((row) => assetChanged(row, partition));
}
