import type { IncomingMessage } from 'node:http';

/** So much of a refused body is read before its answer (D18). */
export const DRAINED_BYTES_MAX = 16 * 1_048_576;

/**
 * Reads what is left of a request's body and forgets it. A client that writes before it reads (Python's do) never
 * sees an answer on a connection that was closed while it wrote (D18).
 * Calls back with whether the body came to its end within 16 MB.
 */
export function drainBody(request: IncomingMessage, done: (ended: boolean) => void): void {
  if (request.complete || request.destroyed) {
    done(true);
    return;
  }
  let bytes = 0;
  const finish = (ended: boolean) => {
    request.off('data', count).off('end', onEnd).off('close', onEnd);
    done(ended);
  };
  const onEnd = () => finish(true);
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= DRAINED_BYTES_MAX) return;
    request.pause();
    finish(false);
  };
  request.unpipe();
  request.on('data', count).on('end', onEnd).on('close', onEnd).resume();
}
