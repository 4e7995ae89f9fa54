import { once } from 'node:events';
import { type MessageEvent, WebSocket } from 'undici';

/** What a program must be started with, for `memoryUsed`. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Bytes that the main thread of a program uses, heap and buffers, after all garbage is collected. Unlike the
 * resident memory, it does not depend on when Node collects garbage and returns pages to the operating system.
 *
 * @param log output of a program that was started with `INSPECTED`
 */
export async function memoryUsed(log: string): Promise<number> {
  const [address] = /ws:\/\/127\.0\.0\.1:\S+/.exec(log) ?? [];
  if (!address) throw new Error(`the program was not started with an inspector:\n${log}`);
  const inspector = new WebSocket(address);
  await once(inspector, 'open');
  const call = async (method: string, params = {}) => {
    inspector.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = (await once(inspector, 'message')) as [MessageEvent];
    return JSON.parse(String(data)).result;
  };
  try {
    await call('HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    return (await call('Runtime.evaluate', { expression })).result.value;
  } finally {
    inspector.close();
  }
}
