import type { EventLog } from '#libs/event-log';
import { CHAIN_START, chainAfter, INTAKE_TOPIC } from '#libs/intake';
import type { CheckpointPosition } from './checkpoint.ts';
import { FileError } from './file-error.ts';
import { placeText } from './log-check.ts';
import { LogContentError } from './log-content-error.ts';
import type { Segment } from './segment.ts';
import { readSegmentHeader, verifySegment } from './segment-file.ts';
import { segmentsOf } from './segment-folder.ts';
import { writeSegment } from './write-segment.ts';

/** End of the copied part of a partition: an end of the log. */
export interface BackupTarget extends Pick<Segment, 'logId' | 'partitions' | 'partition'> {
  /** Offset before which every record is in the folder afterwards. */
  to: number;
  /** The end of the last complete backup in this folder: its records are not read again. */
  known: CheckpointPosition | undefined;
}

export interface BackedUpPartition extends CheckpointPosition {
  /** Records that were written by this call. */
  written: number;
}

/** Times that each new record passes: hashed, written, read back. */
const PASSES = 3;

/**
 * Copies the records of a partition of the intake log after a folder's segments into one more segment there, and reads
 * it back. The log is unchanged; after an interruption, the same call resumes.
 * @param log with its archive: a backup contains every record from offset 0
 * @param onCopied receives how many more records are done
 * @throws FileError if a segment is damaged, missing, of another log, or of a log that continued otherwise;
 *   LogContentError, RecordsGoneError, LogUnavailableError; errors of the file system
 */
export async function backUpPartition(
  log: Pick<EventLog, 'read'>,
  target: BackupTarget,
  folder: string,
  onCopied: (records: number) => void = () => {},
): Promise<BackedUpPartition> {
  const { logId, partitions, partition, to } = target;
  const begin = await endOfSegments(log, target, folder);
  const end = await followChain(log, partition, begin, to, (count) => onCopied(count / PASSES));
  if (to > begin.next) {
    const segment = {
      logId,
      partitions,
      partition,
      from: begin.next,
      to,
      before: begin.head,
      after: end.head,
    };
    const onRecords = (count: number) => onCopied(count / PASSES);
    await verifySegment(await writeSegment(log, segment, folder, onRecords), onRecords);
  }
  return { ...end, written: to - begin.next };
}

/** The end of the folder's segments; the log must still have the same records before it. */
async function endOfSegments(
  log: Pick<EventLog, 'read'>,
  { logId, partitions, partition, to, known }: BackupTarget,
  folder: string,
): Promise<CheckpointPosition> {
  const segments = await segmentsOf(folder, partition);
  const named = segments.at(-1);
  if (!named || segments[0]!.from > 0) {
    const missing = named || known ? (segments[0]?.from ?? known!.next) : 0;
    if (missing === 0) return { next: 0, before: CHAIN_START, head: CHAIN_START };
    throw new FileError(
      `${folder} lacks the segments of partition ${partition} before offset ${missing}: put them back, or name a new directory`,
    );
  }
  // A call that was killed may have written a segment without reading it back.
  for (const segment of segments) if (segment.to > (known?.next ?? 0)) await verifySegment(segment);
  const last = await readSegmentHeader(named);
  if (last.logId !== logId || last.partitions !== partitions) {
    throw new FileError(`${named.path} belongs to log ${last.logId}, but this is log ${logId}`);
  }
  if (last.chain !== chainAfter) {
    throw new FileError(
      `${named.path} has format version 1, which a backup does not continue: name a new directory`,
    );
  }
  const wentOn = 'the log has diverged or has lost records: name a new directory';
  if (last.to > to) {
    throw new FileError(`${named.path} reaches offset ${last.to}, but the log ends at ${to}: ${wentOn}`);
  }
  const before =
    known?.next === last.to
      ? { next: last.to - 1, before: known.before, head: known.before }
      : { next: last.from, before: last.before, head: last.before };
  const found = await followChain(log, partition, before, last.to);
  if (found.head.equals(last.after)) return found;
  throw new FileError(`${named.path} does not contain the records of the log: ${wentOn}`);
}

/** Hashes the records of a partition from a position up to an offset. */
async function followChain(
  log: Pick<EventLog, 'read'>,
  partition: number,
  from: CheckpointPosition,
  to: number,
  onRecords: (count: number) => void = () => {},
): Promise<CheckpointPosition> {
  let { next, before, head } = from;
  for await (const records of log.read(INTAKE_TOPIC, partition, next, to)) {
    for (const record of records) {
      if (record.offset !== next) {
        throw new LogContentError(`has a hole: ${placeText({ partition, offset: next })} is missing`);
      }
      before = head;
      head = chainAfter(head, record);
      next += 1;
    }
    onRecords(records.length);
  }
  if (next === to) return { next, before, head };
  throw new LogContentError(`has a hole: ${placeText({ partition, offset: next })} is missing`);
}
