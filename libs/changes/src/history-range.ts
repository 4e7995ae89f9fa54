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

/** @throws HistoryGapError if the rows do not continue directly after the range's beginning */
export function assertGapFree(
  table: string,
  { partition, after }: HistoryRange,
  rows: { sequence: number }[],
): void {
  const gap = rows.findIndex(({ sequence }, i) => sequence !== after + 1 + i);
  if (gap < 0) return;
  throw new HistoryGapError(
    `${table} of partition ${partition} continues at ${rows[gap]!.sequence}, but ${after + 1 + gap} is next`,
  );
}
