export interface BatchBounds {
  recordsMax: number;
  /** Of the values; a single larger record is a separate batch. */
  bytesMax: number;
}

export const DEFAULT_BOUNDS: BatchBounds = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 };
