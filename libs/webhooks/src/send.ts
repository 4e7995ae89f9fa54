import { retryAfterMs } from '#libs/back-off';
import { type Egress, EgressError } from '#libs/egress';
import { type Signed, signedHeaders } from './signature.ts';
import type { Answer } from './webhook.ts';

/** What Standard Webhooks suggests at most; a receiver that needs longer should respond first and work then. */
export const ANSWER_MS_MAX = 20_000;
/** Its content is not used. */
const ANSWER_BYTES_MAX = 64 * 1024;
const MEDIA_TYPE = 'application/cloudevents-batch+json; charset=utf-8';
const [GONE, SUCCESS, REDIRECT, CLIENT_ERROR] = [410, 200, 300, 400];

/** Result of one attempt; `gone`: the receiver wants no more deliveries. */
export interface Sent {
  outcome: 'taken' | 'failed' | 'gone';
  answer: Answer;
  /** The receiver's requested delay; null: none. */
  retryAfterMs: number | null;
  /** It waits for a limit of this service, which is no reason to give up. */
  isOwnLimit?: boolean;
  /** Part of the work is done, although the attempt failed. */
  hasProgress?: boolean;
}

export interface Sending extends Signed {
  url: string;
  /** Default: 20 s. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * Sends a body once, and returns the outcome: any 2xx is a success.
 * @throws EgressError `aborted` if the signal is
 */
export async function send(
  egress: Egress,
  { url, timeoutMs = ANSWER_MS_MAX, signal, ...signed }: Sending,
): Promise<Sent> {
  const begun = performance.now();
  const answerOf = (status: number | null, message: string): Answer => ({
    status,
    message,
    ms: Math.round(performance.now() - begun),
  });
  try {
    const { status, headers } = await egress.request({
      method: 'POST',
      url,
      headers: { 'content-type': MEDIA_TYPE, 'user-agent': 'risk-posture-service', ...signedHeaders(signed) },
      body: signed.body,
      timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
      ...(signal && { signal }),
    });
    const outcome = isSuccess(status) ? 'taken' : status === GONE ? 'gone' : 'failed';
    const asked = outcome === 'failed' ? retryAfterMs(headers, signed.at) : null;
    return { outcome, answer: answerOf(status, meaningOf(status)), retryAfterMs: asked };
  } catch (error) {
    if (!(error instanceof EgressError) || error.failure === 'aborted') throw error;
    return { outcome: 'failed', answer: answerOf(null, error.message), retryAfterMs: null };
  }
}

const isSuccess = (status: number) => status >= SUCCESS && status < REDIRECT;

function meaningOf(status: number): string {
  if (isSuccess(status)) return 'the receiver accepted it';
  if (status === GONE) return 'the receiver accepts no more deliveries (status 410)';
  if (status >= REDIRECT && status < CLIENT_ERROR) {
    return `the receiver returned a redirect (status ${status}), which is not followed: use the target address`;
  }
  return `the receiver did not accept it (status ${status})`;
}
