/**
 * The result of a promise that no signal ends, for example because other calls wait for it too.
 * @throws the reason of `signal` if it aborts first; the promise continues
 */
export async function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  const raced = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true, signal: raced.signal });
    if (signal.aborted) end();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    raced.abort();
  }
}
