import { setTimeout } from 'node:timers/promises';

const POLL_INTERVAL_MS = { min: 10, max: 100 };
/** What has been waited for long is looked at less often: looking takes the processor from what is waited for. */
const POLL_SHARE = 0.1;
/** Below Jest's own, so that what was waited for is named. */
const PATIENCE_MS = 45_000;

/**
 * Waits for a condition.
 * @throws Error naming what was waited for, after `timeoutMs`
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - begun;
    if (waited > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await setTimeout(Math.min(Math.max(waited * POLL_SHARE, POLL_INTERVAL_MS.min), POLL_INTERVAL_MS.max));
  }
}
