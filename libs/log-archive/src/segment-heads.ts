import { CHAIN_START, chainAfter } from '#libs/intake';
import { readSegment, readSegmentHeader } from './segment-file.ts';
import type { NamedSegment } from './segment-folder.ts';

/** As `headAfter`, of the segments before one of them. */
export async function headBefore(segments: readonly NamedSegment[], index: number): Promise<Buffer> {
  const { before, chain } = await readSegmentHeader(segments[index]!);
  return chain === chainAfter ? before : headAfter(segments.slice(0, index));
}

/**
 * Head of a partition's chain after segments that begin at offset 0. Those with the former chain are read, since their
 * headers do not have it.
 * @throws FileError as `readSegment`
 */
export async function headAfter(segments: readonly NamedSegment[]): Promise<Buffer> {
  const last = segments.at(-1);
  if (!last) return CHAIN_START;
  const { after, chain } = await readSegmentHeader(last);
  if (chain === chainAfter) return after;
  let head = await headAfter(segments.slice(0, -1));
  for await (const records of readSegment(last)) {
    for (const record of records) head = chainAfter(head, record);
  }
  return head;
}
