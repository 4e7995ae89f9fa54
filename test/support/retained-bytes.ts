import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose_gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * What this process holds on to, in bytes: garbage is collected first, so that neither speed nor chance is in it. Twice,
 * for buffers are given back on another thread, whose end the next collection waits for.
 */
export function retainedBytes(kind: 'heapUsed' | 'arrayBuffers' | 'rss'): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage()[kind];
}
