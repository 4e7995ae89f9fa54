import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from './file-error.ts';
import type { Segment } from './segment.ts';

/** The data in the name of a segment file. */
export type SegmentPlace = Pick<Segment, 'partition' | 'from' | 'to'>;

export interface NamedSegment extends SegmentPlace {
  path: string;
}

const PARTITION_DIGITS = 4;
/** So that a listing by name is one by place; larger ones are longer. */
const OFFSET_DIGITS = 12;
const NAME = /^(\d{4})-(\d{12,16})-(\d{12,16})\.posture-segment$/;

/** Such as `0003-000000000000-000000012500.posture-segment`. */
export const segmentName = ({ partition, from, to }: SegmentPlace): string =>
  `${`${partition}`.padStart(PARTITION_DIGITS, '0')}-${offsetText(from)}-${offsetText(to)}.posture-segment`;

/** Of the segment with this name; undefined if it is not the name of a segment. */
export function partitionOfSegment(name: string): number | undefined {
  const [, partition] = NAME.exec(name) ?? [];
  return partition === undefined ? undefined : Number(partition);
}

const offsetText = (offset: number): string => `${offset}`.padStart(OFFSET_DIGITS, '0');

/**
 * The segments of a partition in a folder, in the order of their offsets; other files are ignored. A folder that
 * does not exist has none.
 * @throws FileError if two overlap, or one is missing between two others
 */
export async function segmentsOf(folder: string, partition: number): Promise<NamedSegment[]> {
  const found = (await namesIn(folder))
    .flatMap((name) => {
      const [, number, from, to] = NAME.exec(name) ?? [];
      if (Number(number) !== partition) return [];
      return { partition, from: Number(from), to: Number(to), path: join(folder, name) };
    })
    .sort((a, b) => a.from - b.from);
  for (const [i, { from, path }] of found.entries()) {
    const next = i === 0 ? from : found[i - 1]!.to;
    if (from === next) continue;
    const what =
      from < next
        ? 'overlaps the previous segment'
        : `does not follow the previous segment: partition ${partition}, offset ${next} is missing`;
    throw new FileError(`${path} ${what}`);
  }
  return found;
}

/** Whether a folder contains segments of any log. */
export const hasSegments = async (folder: string): Promise<boolean> =>
  (await namesIn(folder)).some((name) => NAME.test(name));

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
