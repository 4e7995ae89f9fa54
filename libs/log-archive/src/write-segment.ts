import { join } from 'node:path';
import type { EventLog } from '#libs/event-log';
import { chainAfter, INTAKE_TOPIC } from '#libs/intake';
import { placeText } from './log-check.ts';
import { LogContentError } from './log-content-error.ts';
import { seal } from './seal.ts';
import { SEGMENT_FILE, SEGMENT_FRAMES, type Segment } from './segment.ts';
import { type NamedSegment, partitionOfSegment, segmentName } from './segment-folder.ts';
import { removeUnfinished, writeNewFile } from './write-new-file.ts';

/**
 * Writes a stretch of the intake log as a segment file; the log stays as it is. One process at a time writes a segment.
 * @throws LogContentError if the log has a hole, or its records are not those of the chain that the segment names;
 *   RecordsGoneError, LogUnavailableError; errors of the file system. No file is left then
 */
export async function writeSegment(
  log: Pick<EventLog, 'read'>,
  segment: Segment,
  folder: string,
  onRecords: (count: number) => void = () => {},
): Promise<NamedSegment> {
  const { partition, from, to } = segment;

  async function* frames(): AsyncGenerator<Buffer> {
    yield SEGMENT_FRAMES.encode({ Header: segment });
    let head = segment.before;
    let next = from;
    for await (const records of log.read(INTAKE_TOPIC, partition, from, to)) {
      for (const record of records) {
        if (record.offset !== next) break;
        head = chainAfter(head, record);
        next += 1;
      }
      if (next <= records.at(-1)!.offset) break;
      yield Buffer.concat(records.map((record) => SEGMENT_FRAMES.encode({ Record: record })));
      onRecords(records.length);
    }
    if (next < to) {
      throw new LogContentError(`has a hole: ${placeText({ partition, offset: next })} is missing`);
    }
    if (!head.equals(segment.after)) {
      throw new LogContentError(
        `does not contain the records of the checkpoint: the chain of partition ${partition} at offset ${to} differs`,
      );
    }
  }

  const path = join(folder, segmentName(segment));
  // The segment of a killed call ended elsewhere.
  await removeUnfinished(folder, (name) => partitionOfSegment(name) === partition);
  await writeNewFile(path, (stream) => seal(SEGMENT_FILE, frames, stream, true));
  return { partition, from, to, path };
}
