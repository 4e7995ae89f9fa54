import type { StoredRecord } from '../event-log.ts';

export interface BatchBounds {
  recordsMax: number;
  /** Of the values; a single larger record is a batch of its own. */
  bytesMax: number;
}

/** The first of the records that fit the bounds, from an index on; at least one where there is one. */
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
