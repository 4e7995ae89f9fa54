import { useSyncExternalStore } from 'react';

/** Periods are multiples of it. */
const LOOK_MS = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all: a page can show hundreds of times. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, LOOK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Beginning of the present period in epoch ms; the component is rendered again when the next one begins. */
export const useTick = (periodMs: number): number =>
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / periodMs) * periodMs);
