/** When subjects are read as of, in epoch milliseconds. */
export interface ReadingInstant {
  at: number;
  /**
   * From the history, as known at the instant: a stable result. Without it from the current rows, with expiry evaluated
   * at the instant: faster, and later ends are known.
   */
  isPast: boolean;
}
