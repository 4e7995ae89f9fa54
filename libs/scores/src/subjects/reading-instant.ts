/** When subjects are read as of, in epoch milliseconds. */
export interface ReadingInstant {
  at: number;
  /**
   * From the history, as all that was known at the instant: it stays so. Without it as the fold has left them, with
   * expiry as of the instant: faster, and what is to come is known.
   */
  isPast: boolean;
}
