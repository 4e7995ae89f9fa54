import { backOffMs } from '#libs/back-off';
import { EgressError } from '#libs/egress';
import { type Answer, TicketError } from '#libs/webhooks';

/** Outcome of an attempt to send. `failed`: another attempt may succeed; `refused`: no attempt will. */
export interface Attempt {
  outcome: 'sent' | 'failed' | 'refused';
  answer: Answer;
  /** The receiver's requested delay; null: none. */
  retryAfterMs: number | null;
}

export const ATTEMPTS_MAX = 8;
/** In all about three hours. */
const BACK_OFF = { firstMs: 60_000, longestMs: 3_600_000 };
/** What a receiver can ask for at most. */
const ASKED_MS_MAX = 3_600_000;

/** When another attempt follows the `attempts`th one, in epoch ms; null: it was the last. */
export function nextAttemptAt(
  { outcome, retryAfterMs }: Attempt,
  attempts: number,
  now: number,
): number | null {
  if (outcome !== 'failed' || attempts >= ATTEMPTS_MAX) return null;
  const waitMs = backOffMs(attempts, BACK_OFF, Math.random());
  return now + Math.round(Math.max(waitMs, Math.min(retryAfterMs ?? 0, ASKED_MS_MAX)));
}

/**
 * An attempt through a mail server or a chat.
 * @param post resolves with the message of its answer
 * @throws EgressError `aborted` if the attempt is
 */
export async function attempt(post: () => Promise<string>): Promise<Attempt> {
  const begun = performance.now();
  const attemptOf = (outcome: Attempt['outcome'], message: string, retryAfterMs: number | null = null) => ({
    ...{ outcome, retryAfterMs },
    answer: { status: null, message, ms: Math.round(performance.now() - begun) },
  });
  try {
    return attemptOf('sent', await post());
  } catch (error) {
    if (error instanceof TicketError)
      return attemptOf('failed', error.message, error.details.retryAfterMs ?? null);
    if (error instanceof EgressError && error.failure !== 'aborted')
      return attemptOf('failed', error.message);
    throw error;
  }
}
