/** Options of `posture catalogue import`. */
export interface ImportOptions {
  /** Address of the file; replaces paths. */
  url?: string;
  /** Import a list also if it has much fewer CVEs than the one in force. */
  force?: boolean;
  /** From when on the rows count, epoch milliseconds. */
  effectiveFrom?: number;
  json?: boolean;
}
