/**
 * Calls of `ask` that are made while one runs share the next one: each begins after its caller asked, and at most one
 * runs at a time.
 */
export function sharedNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const started = ask().finally(() => {
      if (running === started) running = undefined;
    });
    running = started;
    return started;
  };
  const after = async (before: Promise<T>): Promise<T> => {
    await before.catch(() => undefined);
    next = undefined;
    return start();
  };
  return () => {
    if (running === undefined) return start();
    next ??= after(running);
    return next;
  };
}
