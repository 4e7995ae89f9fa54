/** Limit of one read. A larger change is returned alone. */
export interface ChangeBounds {
  changesMax: number;
  /** Of stored JSON. */
  bytesMax: number;
}

/** Part of a partition's history: the changes after a sequence number. */
export interface HistoryRange {
  partition: number;
  /** Sequence of the last change before; 0 for the beginning. */
  after: number;
}

/** Changes are missing from the history: subscribers cannot continue without a gap. */
export class HistoryGapError extends Error {
  override name = 'HistoryGapError';
}

/**
 * @param trimmedThrough the sequence up to which the retention of the history has removed changes. Default: 0, none
 * @throws HistoryGapError if a later change is missing between the range's beginning and the last row
 */
export function assertGapFree(
  table: string,
  { partition, after }: HistoryRange,
  rows: { sequence: number }[],
  trimmedThrough = 0,
): void {
  let next = after + 1;
  for (const { sequence } of rows) {
    const missing = Math.max(next, trimmedThrough + 1);
    if (sequence > missing) {
      throw new HistoryGapError(
        `${table} of partition ${partition} continues at ${sequence}, but ${missing} is next`,
      );
    }
    next = sequence + 1;
  }
}
