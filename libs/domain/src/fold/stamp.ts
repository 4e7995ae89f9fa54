import type { Stamp } from '../state.ts';

/** Earlier receipt first; uploads of one millisecond by their id (R-FOLD-4). */
export const isBefore = (a: Stamp, b: Stamp): boolean =>
  a.at < b.at || (a.at === b.at && a.uploadId < b.uploadId);

export const latest = (a: Stamp, b: Stamp): Stamp => (isBefore(a, b) ? b : a);
