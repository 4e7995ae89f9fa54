export interface RestoreCommandOptions {
  /** Epoch milliseconds. */
  until?: number;
  /** The log was not lost. */
  keepLog?: boolean;
  /** Path of a further erasure list. */
  erasures?: string;
  json?: boolean;
}
