/**
 * What a client does when a request fails (spec §Errors): a 429 waits as long as the service says, a 401 signs in
 * anew once, a 5xx or a cut connection is tried again a few times, further and further apart.
 */
export type RequestFailure =
  | { kind: 'rateLimited'; waitSeconds: number }
  | { kind: 'unauthorized' }
  | { kind: 'serverError'; waitSeconds: number }
  | { kind: 'connection' };

/** How the attempts of one request went so far. */
export interface Attempts {
  /** 5xx answers and connection errors. */
  failures: number;
  /** Time spent waiting at the service's word. */
  rateLimitedMs: number;
  /** The last answer was a 401 too. */
  signedInAnew: boolean;
}

export const noAttempts: Attempts = { failures: 0, rateLimitedMs: 0, signedInAnew: false };

export interface RetryBounds {
  failuresMax: number;
  backoffMsMin: number;
  backoffMsMax: number;
  /** One wait that a service may ask for. */
  waitMsMax: number;
  /** All waits of one request together. */
  rateLimitedMsMax: number;
}

export const RETRY_BOUNDS: RetryBounds = {
  failuresMax: 6,
  backoffMsMin: 250,
  backoffMsMax: 15_000,
  waitMsMax: 300_000,
  rateLimitedMsMax: 1_800_000,
};

export type NextStep =
  | { step: 'wait'; ms: number; attempts: Attempts }
  | { step: 'signIn'; attempts: Attempts }
  | { step: 'giveUp' };

/**
 * The next step after a failure.
 * @param random from [0, 1): spreads the backoff over its upper half, so that clients do not come back together
 */
export function afterFailure(
  failure: RequestFailure,
  attempts: Attempts,
  random: number,
  bounds: RetryBounds = RETRY_BOUNDS,
): NextStep {
  switch (failure.kind) {
    case 'unauthorized':
      return attempts.signedInAnew
        ? { step: 'giveUp' }
        : { step: 'signIn', attempts: { ...attempts, signedInAnew: true } };
    case 'rateLimited': {
      const ms = Math.min(failure.waitSeconds * 1000, bounds.waitMsMax);
      const rateLimitedMs = attempts.rateLimitedMs + ms;
      if (rateLimitedMs > bounds.rateLimitedMsMax) return { step: 'giveUp' };
      return { step: 'wait', ms, attempts: { ...attempts, rateLimitedMs, signedInAnew: false } };
    }
    case 'serverError':
    case 'connection': {
      const failures = attempts.failures + 1;
      if (failures >= bounds.failuresMax) return { step: 'giveUp' };
      const asked = failure.kind === 'serverError' ? failure.waitSeconds * 1000 : 0;
      const ms = Math.min(Math.max(backoffMs(failures, random, bounds), asked), bounds.waitMsMax);
      return { step: 'wait', ms, attempts: { ...attempts, failures, signedInAnew: false } };
    }
  }
}

function backoffMs(failures: number, random: number, { backoffMsMin, backoffMsMax }: RetryBounds): number {
  const ceiling = Math.min(backoffMsMin * 2 ** failures, backoffMsMax);
  return Math.round(ceiling / 2 + (random * ceiling) / 2);
}

/**
 * Seconds that a 429 asks for: its `message` is the number (D19), `Retry-After` says the same. Where neither is a
 * number, 1; never below 1, so that a wait is a wait.
 */
export function secondsAsked(message: string, retryAfter: string | null): number {
  for (const text of [message, retryAfter ?? '']) {
    if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.max(1, Number(text));
  }
  return 1;
}
