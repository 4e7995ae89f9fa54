import type { StoredRecord } from '#libs/event-log';
import type { FileKind } from './container.ts';
import { FrameFormat } from './frame-format.ts';
import { RECORD_SCHEMA } from './record-schema.ts';

/** A whole log (docs/log-file.md "The file of a log"). */
export const LOG_FILE: FileKind = {
  magic: 'POSTURE-LOG',
  version: 2,
  readsFrom: 1,
  madeBy: 'posture export-log',
};

/** One item of a log file. */
export type Frame =
  | { Header: { logId: string; ends: number[] } }
  | { Record: StoredRecord }
  | { End: { records: number; heads: Buffer[] } };

export const LOG_FRAMES = new FrameFormat<Frame>([
  {
    type: 'record',
    name: 'Header',
    fields: [
      { name: 'logId', type: 'string' },
      { name: 'ends', type: { type: 'array', items: 'long' } },
    ],
  },
  RECORD_SCHEMA,
  {
    type: 'record',
    name: 'End',
    fields: [
      { name: 'records', type: 'long' },
      { name: 'heads', type: { type: 'array', items: 'bytes' } },
    ],
  },
]);
