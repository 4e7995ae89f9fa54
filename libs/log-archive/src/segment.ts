import type { StoredRecord } from '#libs/event-log';
import type { Chain } from '#libs/intake';
import type { FileKind } from './container.ts';
import { FrameFormat } from './frame-format.ts';
import { RECORD_SCHEMA } from './record-schema.ts';

/** The records of one partition from an offset up to another, moved out of the log (docs/log-file.md "Segments"). */
export interface Segment {
  logId: string;
  /** Of the log. */
  partitions: number;
  partition: number;
  /** Offsets of [from, to). */
  from: number;
  to: number;
  /** Head of the partition's chain before the first of them, and after the last. */
  before: Buffer;
  after: Buffer;
}

/** A segment that was read. */
export interface StoredSegment extends Segment {
  /** The chain of its heads. */
  chain: Chain;
}

export const SEGMENT_FILE: FileKind = {
  magic: 'POSTURE-SEGMENT',
  version: 2,
  readsFrom: 1,
  madeBy: 'posture archive` or `posture backup',
};

/** One item of a segment file: its header, then every record. */
export type SegmentFrame = { Header: Segment } | { Record: StoredRecord };

export const SEGMENT_FRAMES = new FrameFormat<SegmentFrame>([
  {
    type: 'record',
    name: 'Header',
    fields: [
      { name: 'logId', type: 'string' },
      { name: 'partitions', type: 'int' },
      { name: 'partition', type: 'int' },
      { name: 'from', type: 'long' },
      { name: 'to', type: 'long' },
      { name: 'before', type: 'bytes' },
      { name: 'after', type: 'bytes' },
    ],
  },
  RECORD_SCHEMA,
]);
