import type { EventLog } from '#libs/event-log';
import { chainAfter, INTAKE_TOPIC } from '#libs/intake';
import { FileError } from './file-error.ts';
import type { Segment } from './segment.ts';
import { readSegment, readSegmentHeader } from './segment-file.ts';
import { type NamedSegment, segmentsOf } from './segment-folder.ts';
import { headAfter, headBefore } from './segment-heads.ts';
import { writeSegment } from './write-segment.ts';

/** End of the archived part of a partition: a position of a checkpoint. */
export interface ArchiveTarget extends Pick<Segment, 'logId' | 'partitions' | 'partition'> {
  /** Offset before which nothing stays in the log. */
  to: number;
  /** Head of the partition's chain there. */
  head: Buffer;
}

export interface ArchivedStretch {
  /** Records that were written to a segment by this call. */
  written: number;
  /** Records that were removed from the log. */
  removed: number;
}

/** Called as it continues. */
export interface ArchiveProgress {
  onWritten?: (records: number) => void;
  onVerified?: (records: number) => void;
}

/**
 * Moves the beginning of a partition of the intake log into a folder. A record is removed only after a segment that
 * contains it was read back completely from the disk, up to the chain of the target; after an interruption, each record
 * is in the log or in a segment, and the same call resumes.
 * @throws FileError if a segment is damaged, of another log or history, or missing; LogContentError as `writeSegment`;
 *   LogUnavailableError; errors of the file system. In these cases no unverified record is removed
 */
export async function archivePartition(
  log: EventLog,
  target: ArchiveTarget,
  folder: string,
  { onWritten, onVerified }: ArchiveProgress = {},
): Promise<ArchivedStretch> {
  const { partition, to } = target;
  const start = (await log.starts(INTAKE_TOPIC))[partition]!;
  const segments = await segmentsOf(folder, partition);
  const last = await lastOf(segments, target);
  if (start > last.to || (segments[0]?.from ?? 0) > 0) {
    throw new FileError(
      `${folder} lacks older segments: the log begins at partition ${partition}, offset ${start}, and the folder contains ${segments.length > 0 ? `offsets ${segments[0]!.from} to ${last.to - 1}` : 'no segments'}. Name the folder that contains the older segments`,
    );
  }
  const written = Math.max(0, to - last.to);
  if (written > 0) {
    const before = await headAfter(segments);
    const segment = { ...target, from: last.to, before, after: target.head };
    segments.push(await writeSegment(log, segment, folder, onWritten));
  }
  let head: Buffer | undefined;
  for (const [index, segment] of segments.entries()) {
    if (segment.to <= start || segment.from >= to) continue;
    head = await readBack(segment, head ?? (await headBefore(segments, index)), target, onVerified);
  }
  if (start < to) await log.trim(INTAKE_TOPIC, partition, to);
  return { written, removed: Math.max(0, to - start) };
}

/**
 * A log that was restored to an earlier state may have continued otherwise: its archive then contains other records
 * under the same offsets.
 * @param before head of the chain before the segment
 * @returns the head after it, or at the target
 * @throws FileError if the segment reaches the target, and its records are not those of the target's chain
 */
async function readBack(
  segment: NamedSegment,
  before: Buffer,
  { partition, to, head }: ArchiveTarget,
  onVerified: (records: number) => void = () => {},
): Promise<Buffer> {
  let found = before;
  for await (const batch of readSegment(segment)) {
    for (const record of batch) if (record.offset < to) found = chainAfter(found, record);
    onVerified(batch.length);
  }
  if (segment.to < to || found.equals(head)) return found;
  throw new FileError(
    `${segment.path} does not contain the records of the checkpoint: the chain of partition ${partition} at offset ${to} differs. If the log was restored to an earlier state, move this segment to another directory`,
  );
}

/** The end of the partition's archive. */
async function lastOf(
  segments: NamedSegment[],
  { logId, partitions }: ArchiveTarget,
): Promise<Pick<Segment, 'to'>> {
  const named = segments.at(-1);
  if (!named) return { to: 0 };
  const segment = await readSegmentHeader(named);
  if (segment.logId !== logId || segment.partitions !== partitions) {
    throw new FileError(`${named.path} belongs to log ${segment.logId}, but this is log ${logId}`);
  }
  return segment;
}
