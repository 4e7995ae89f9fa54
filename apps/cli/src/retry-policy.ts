import { type BackOff, backOffMs } from '#libs/back-off';

/**
 * How the command line retries (R-CLI-4): after a 429 when the service says, and after a 5xx or a lost connection a few
 * times, with a growing delay.
 */
export interface AttemptFailure {
  /** 429 or at least 500; null: there was no answer. */
  status: number | null;
  /** Seconds that the service asks for; null: none. */
  retryAfter: number | null;
}

/** How the attempts of one request went so far. */
interface Attempts {
  /** 5xx answers and connection errors. */
  failures: number;
  /** Time spent waiting at the service's word. */
  rateLimitedMs: number;
}

export const noAttempts: Attempts = { failures: 0, rateLimitedMs: 0 };

export interface RetryBounds {
  failuresMax: number;
  /** After 5xx answers and connection errors. */
  backOff: BackOff;
  /** One wait that a service may ask for. */
  waitMsMax: number;
  /** All waits of one request together. */
  rateLimitedMsMax: number;
}

export const RETRY_BOUNDS: RetryBounds = {
  failuresMax: 6,
  backOff: { firstMs: 500, longestMs: 15_000 },
  waitMsMax: 300_000,
  rateLimitedMsMax: 1_800_000,
};

/**
 * The wait before the next attempt; null: give up.
 * @param random as of `backOffMs`
 */
export function afterFailure(
  { status, retryAfter }: AttemptFailure,
  attempts: Attempts,
  random: number,
  bounds: RetryBounds = RETRY_BOUNDS,
): { ms: number; attempts: Attempts } | null {
  // Never below 1 s, so that a wait is a wait.
  const askedMs = Math.max(1, retryAfter ?? 0) * 1000;
  if (status === 429) {
    const ms = Math.min(askedMs, bounds.waitMsMax);
    const rateLimitedMs = attempts.rateLimitedMs + ms;
    return rateLimitedMs > bounds.rateLimitedMsMax ? null : { ms, attempts: { ...attempts, rateLimitedMs } };
  }
  const failures = attempts.failures + 1;
  if (failures >= bounds.failuresMax) return null;
  const backedOffMs = Math.round(backOffMs(failures, bounds.backOff, random));
  const ms = retryAfter === null ? backedOffMs : Math.max(backedOffMs, askedMs);
  return { ms: Math.min(ms, bounds.waitMsMax), attempts: { ...attempts, failures } };
}
