import { type BackOff, backOffMs } from '#libs/back-off';

/** Limits of delivery retries; all times in milliseconds. */
export interface RetryPolicy extends BackOff {
  /** Maximum wait that a receiver can request. */
  askedMsMax: number;
  /** Minimum number of attempts before the webhook is paused. */
  attemptsMin: number;
  /** Minimum time from the first attempt until the webhook is paused. */
  retryMsMin: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const RETRY_POLICY: RetryPolicy = {
  firstMs: 5_000,
  longestMs: HOUR_MS,
  askedMsMax: 24 * HOUR_MS,
  attemptsMin: 10,
  retryMsMin: 72 * HOUR_MS,
};

/**
 * The delay before the next attempt: the back-off, but at least what the receiver requests.
 * @param attempts number of failed attempts, at least 1
 * @param random from 0 to 1
 * @param askedMs the delay of `Retry-After`; null: none
 */
export function retryDelayMs(
  policy: RetryPolicy,
  attempts: number,
  random: number,
  askedMs: number | null,
): number {
  const { firstMs, askedMsMax } = policy;
  const asked = askedMs === null ? 0 : Math.min(askedMs, askedMsMax) + firstMs * random;
  return Math.round(Math.max(backOffMs(attempts, policy, random), asked));
}

/** Whether attempts and time reach both minimums. @param sinceMs time since the first attempt */
export const isExhausted = (
  { attemptsMin, retryMsMin }: RetryPolicy,
  attempts: number,
  sinceMs: number,
): boolean => attempts >= attemptsMin && sinceMs >= retryMsMin;
