import type { LineFilter } from './log-line.ts';
import type { OffsetRange } from './parse-offsets.ts';

/** What `posture log` is requested. */
export interface LogOptions extends Omit<LineFilter, 'entities'> {
  entity?: string;
  partition?: number;
  offset?: OffsetRange;
  /** With payload and cause. */
  full?: boolean;
}
