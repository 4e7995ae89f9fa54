export interface RestoreCommandOptions {
  /** Epoch milliseconds. */
  until?: number;
  /** The log was not lost. */
  keepLog?: boolean;
  json?: boolean;
}
