import type { BatchBounds } from '../delivery/batch-bounds.ts';
import type { StoredRecord } from '../event-log.ts';

/** The first of the records that fit the bounds, from an index on; at least one if there is one. */
export function takeBatch(
  records: StoredRecord[],
  { recordsMax, bytesMax }: BatchBounds,
  from = 0,
): StoredRecord[] {
  let bytes = 0;
  let end = from;
  while (end < records.length && end - from < recordsMax) {
    bytes += records[end]!.value.length;
    if (end > from && bytes > bytesMax) break;
    end++;
  }
  return records.slice(from, end);
}
