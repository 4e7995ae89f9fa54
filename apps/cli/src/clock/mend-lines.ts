import { isoTime } from '#libs/domain';
import type { MendCounts, WrongPartition } from '#libs/replay';

/** A partition with its mends, done or planned. */
export interface MendedPartition extends WrongPartition {
  counts: MendCounts;
}

/** Outcome of one partition, on a line. */
export function mendLine({ partition, ahead, counts }: MendedPartition): string {
  const { findingsReturned, assetsReturned, corrected } = counts;
  const clock = ahead === null ? 'clock already corrected' : `clock at ${isoTime(ahead)}`;
  return `Partition ${partition}  ${clock}; findings returned: ${findingsReturned}, assets returned: ${assetsReturned}, other corrections: ${corrected}`;
}

export const mendSummary = ({ length }: MendedPartition[], isPreview: boolean): string =>
  isPreview
    ? `Dry run      partitions to mend: ${length}; nothing was stored`
    : `Mended       partitions: ${length}`;
