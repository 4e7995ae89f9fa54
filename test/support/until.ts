import { setTimeout } from 'node:timers/promises';

const POLL_INTERVAL_MS = 10;

/**
 * Waits for a condition.
 * @throws Error naming what was waited for, after `timeoutMs`
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 15_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await setTimeout(POLL_INTERVAL_MS);
  }
}
