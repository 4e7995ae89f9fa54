import { setTimeout } from 'node:timers/promises';

/**
 * What `work` comes to, waited for `msMax` milliseconds at most. Behind that it goes on, and nobody hears of its end.
 * @throws Error where it takes longer; whatever `work` throws in time
 */
export async function within<T>(msMax: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const tooLate = setTimeout(msMax, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`no answer within ${msMax} ms`);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    ended.abort();
  }
}
