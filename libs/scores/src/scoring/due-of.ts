import type { ScoredWindow } from './write-scores.ts';

/** An expiry that the fold has not confirmed is checked again after this time: the sweep reports it within a minute. */
const UNCONFIRMED_MS = 60_000;

/**
 * When to score an asset again that was scored until an instant (epoch ms), and from when on; null if nothing of it changes by itself.
 * @param next, unconfirmed as of `nextChange` and `unconfirmedEnd`
 */
export function dueOf(
  { next, unconfirmed }: { next: number | null; unconfirmed: number | null },
  until: number,
): ScoredWindow['due'] {
  if (unconfirmed === null) return next === null ? null : { at: next, from: next };
  return { at: Math.min(next ?? Number.POSITIVE_INFINITY, until + UNCONFIRMED_MS), from: unconfirmed };
}
