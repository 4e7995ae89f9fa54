/** The log and the database do not belong together: the start, or the partition, stops with this sentence. */
export class LogMismatchError extends Error {
  override name = 'LogMismatchError';
}
