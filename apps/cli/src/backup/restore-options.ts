export interface RestoreCommandOptions {
  /** Epoch milliseconds. */
  until?: number;
  json?: boolean;
}
