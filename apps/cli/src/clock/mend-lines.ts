import type { MendCounts, WrongPartition } from '#libs/replay';

/** A partition with what was done to it, or would be. */
export interface MendedPartition extends WrongPartition {
  counts: MendCounts;
}

/** What became of one partition, on a line. */
export function mendLine({ partition, ahead, counts }: MendedPartition): string {
  const { findingsReturned, assetsReturned, corrected } = counts;
  const clock = ahead === null ? 'clock corrected before' : `clock at ${new Date(ahead).toISOString()}`;
  return `Partition ${partition}  ${clock}; findings returned: ${findingsReturned}, assets returned: ${assetsReturned}, other corrections: ${corrected}`;
}

export const mendSummary = ({ length }: MendedPartition[], isPreview: boolean): string =>
  isPreview
    ? `Dry run      partitions to mend: ${length}; nothing was appended`
    : `Mended       partitions: ${length}`;
