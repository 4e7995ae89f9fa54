/**
 * A log, or a file with one, is invalid. The message is the end of a sentence that begins with its subject, such as
 * "has a hole: …", and names the position.
 */
export class LogContentError extends Error {
  override name = 'LogContentError';
}
