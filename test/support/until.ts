import { setTimeout } from 'node:timers/promises';

const POLL_INTERVAL_MS = { min: 10, max: 100 };
/** Polls less often after a long wait, because polling takes CPU time from the awaited work. */
const POLL_SHARE = 0.1;
/** Below the timeout of Jest, so that the error names the condition. */
const TIMEOUT_MS = 150_000;

/**
 * Waits for a condition.
 * @throws Error with the name of the condition, after `timeoutMs`
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - begun;
    if (waited > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await setTimeout(Math.min(Math.max(waited * POLL_SHARE, POLL_INTERVAL_MS.min), POLL_INTERVAL_MS.max));
  }
}
