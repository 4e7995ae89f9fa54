/** Options of `posture catalogue import`. */
export interface ImportOptions {
  /** Where to fetch the file from; in place of paths. */
  url?: string;
  json?: boolean;
}
