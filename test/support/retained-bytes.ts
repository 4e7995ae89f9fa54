import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose_gc');
export const collectGarbage: () => void = runInNewContext('gc');

/**
 * The retained memory of this process, in bytes: garbage is collected first, so that the result does not depend on
 * timing. Twice, because buffers are released on another thread, for which the next collection waits.
 */
export function retainedBytes(kind: 'heapUsed' | 'arrayBuffers' | 'rss'): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage()[kind];
}
