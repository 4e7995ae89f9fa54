/** What one reading takes at most; a larger change comes alone. */
export interface ChangeBounds {
  changesMax: number;
  /** Of stored JSON. */
  bytesMax: number;
}

/** Part of a partition's history: what follows a sequence. */
export interface HistoryRange {
  partition: number;
  /** Sequence of the last change before; 0 for the beginning. */
  after: number;
}

/** Changes are missing from the history: nobody who follows it can go on without a hole. */
export class HistoryGapError extends Error {
  override name = 'HistoryGapError';
}

/** @throws HistoryGapError where the rows do not go on right after the range's beginning */
export function assertGapFree(
  table: string,
  { partition, after }: HistoryRange,
  rows: { sequence: number }[],
): void {
  const gap = rows.findIndex(({ sequence }, i) => sequence !== after + 1 + i);
  if (gap < 0) return;
  throw new HistoryGapError(
    `${table} of partition ${partition} goes on at ${rows[gap]!.sequence} where ${after + 1 + gap} is next`,
  );
}
