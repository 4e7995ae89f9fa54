import type { IncomingMessage } from 'node:http';

/** How much of a rejected body is read before its answer (R-HTTP-4). */
export const DRAINED_BYTES_MAX = 16 * 1_048_576;

/**
 * Reads the rest of a request's body and discards it. A client that writes before it reads (as in Python) never sees a
 * response on a connection that was closed while it wrote. Calls back with whether the body ended within 16 MB.
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
