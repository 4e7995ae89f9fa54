/**
 * A log, or a file that holds one, is not what it must be. The message goes on where a sentence begins with what it
 * is about, such as "has a hole: …", and names the position.
 */
export class LogContentError extends Error {
  override name = 'LogContentError';
}
