import type { FileKind } from './container.ts';
import { FrameFormat } from './frame-format.ts';

/** How far a partition was folded, and the chain of its records up to there (`chainAfter`). */
export interface CheckpointPosition {
  /** Next offset to fold. */
  next: number;
  /** Head of the chain before the last record that was folded; states that record apart without reading those before. */
  before: Buffer;
  /** Head of the chain after it. */
  head: Buffer;
}

/** Result of a fold at one position of the log (docs/log-file.md "The file of a checkpoint"). */
export interface Checkpoint {
  logId: string;
  /** Number of the fold's rules (`CURRENT_RULES`). */
  rules: number;
  /** Version of the tables: name of the last migration. */
  tables: string;
  /** By partition number. */
  positions: CheckpointPosition[];
}

/** The rows of one table, as PostgreSQL's COPY in text format has them. */
export interface CheckpointTable {
  name: string;
  /** In the order of the values in a row. */
  columns: string[];
  /** Cut anywhere. */
  rows: AsyncIterable<Buffer>;
}

export const CHECKPOINT_FILE: FileKind = {
  magic: 'POSTURE-CHECKPOINT',
  version: 2,
  readsFrom: 2,
  madeBy: 'posture checkpoint',
};

/** Built like a checkpoint; contains the tables that are not folded from the log (docs/log-file.md "A backup"). */
export const BACKUP_FILE: FileKind = {
  magic: 'POSTURE-BACKUP',
  version: 2,
  readsFrom: 1,
  madeBy: 'posture backup',
};

/** One item of a checkpoint: its header, then each table with the pieces of its rows, then its end. */
export type CheckpointFrame =
  | { Header: Checkpoint }
  | { Table: { name: string; columns: string[] } }
  | { Rows: { text: Buffer } }
  | { End: { tables: number } };

export const CHECKPOINT_FRAMES = new FrameFormat<CheckpointFrame>([
  {
    type: 'record',
    name: 'Header',
    fields: [
      { name: 'logId', type: 'string' },
      { name: 'rules', type: 'int' },
      { name: 'tables', type: 'string' },
      {
        name: 'positions',
        type: {
          type: 'array',
          items: {
            type: 'record',
            name: 'Position',
            fields: [
              { name: 'next', type: 'long' },
              { name: 'before', type: 'bytes' },
              { name: 'head', type: 'bytes' },
            ],
          },
        },
      },
    ],
  },
  {
    type: 'record',
    name: 'Table',
    fields: [
      { name: 'name', type: 'string' },
      { name: 'columns', type: { type: 'array', items: 'string' } },
    ],
  },
  { type: 'record', name: 'Rows', fields: [{ name: 'text', type: 'bytes' }] },
  { type: 'record', name: 'End', fields: [{ name: 'tables', type: 'int' }] },
]);
