import { isoTime, isoTimeOrNull } from '#libs/domain';
import type { MendCounts, WrongPartition } from '#libs/replay';
import { failure } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

/** A partition with its mends, done or planned. */
export interface MendedPartition extends WrongPartition {
  counts: MendCounts;
}

/** @throws CliError exit 1 if some entities are not mended; with `json`, its document is the only one */
export function printMended(
  mended: MendedPartition[],
  { isPreview, json }: { isPreview: boolean; json: boolean },
  { stdout }: Terminal,
): void {
  const lines = mended.map(mendLine);
  const isCut = mended.some(({ counts }) => counts.isCut);
  if (!json) stdout.write(`${[...lines, mendSummary(mended, isPreview)].join('\n')}\n`);
  if (isCut) {
    throw failure('some entities changed during the correction: run the command again', json ? lines : []);
  }
  if (json) stdout.write(jsonOf(mended, isPreview));
}

/** Outcome of one partition, on a line. */
function mendLine({ partition, ahead, counts }: MendedPartition): string {
  const { findingsReturned, assetsReturned, corrected } = counts;
  const clock = ahead === null ? 'clock already corrected' : `clock at ${isoTime(ahead)}`;
  return `Partition ${partition}  ${clock}; findings returned: ${findingsReturned}, assets returned: ${assetsReturned}, other corrections: ${corrected}`;
}

const mendSummary = ({ length }: MendedPartition[], isPreview: boolean): string =>
  isPreview
    ? `Dry run      partitions to mend: ${length}; nothing was stored`
    : `Mended       partitions: ${length}`;

const jsonOf = (mended: MendedPartition[], isPreview: boolean): string =>
  `${JSON.stringify({
    ok: true,
    dryRun: isPreview,
    partitions: mended.map(({ partition, ahead, counts: { isCut: _, ...counts } }) => ({
      partition,
      clock: isoTimeOrNull(ahead),
      ...counts,
    })),
  })}\n`;
