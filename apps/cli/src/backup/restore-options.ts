export interface RestoreCommandOptions {
  /** Epoch milliseconds. */
  until?: number;
  /** Path of the file of keys; unset: in the directory of the backup. */
  keys?: string;
  /** Sealed texts are lost. */
  withoutKeys?: boolean;
  /** The log was not lost. */
  keepLog?: boolean;
  /** Path of a further erasure list. */
  erasures?: string;
  json?: boolean;
}
