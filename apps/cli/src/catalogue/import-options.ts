/** Options of `posture catalogue import`. */
export interface ImportOptions {
  /** Where to fetch the file from; in place of paths. */
  url?: string;
  /** Import a list also where it has much fewer CVEs than the one in force. */
  force?: boolean;
  json?: boolean;
}
