import { ApiError } from './api-error.ts';
import { backOffMs } from './back-off.ts';
import { pause } from './pause.ts';

export interface RetryBounds {
  /** Attempts of one request, including the first. */
  attemptsMax: number;
  /** Total wait of one request. If the service asks for a longer wait, the request fails. */
  waitMsMax: number;
}

export const RETRY_BOUNDS: RetryBounds = { attemptsMax: 6, waitMsMax: 120_000 };

/** Not `application/jsonl`, the type of an export. */
const JSON_TYPE = /^application\/json\s*(;|$)/;

const BACK_OFF = { firstMs: 1_000, longestMs: 60_000 };

/** A wait before a retry. */
export interface Wait {
  ms: number;
  /** Status of the response; null if the connection failed. */
  status: number | null;
  /** `GET /api/v3/findings` */
  request: string;
}

/** An attempt that a retry may repeat: the status is 429 or at least 500, or there is no response. */
export interface FailedAttempt {
  /** `ApiError`, or the error of `fetch`. */
  error: unknown;
  /** Whether a repetition is safe, even if the service has processed the request. */
  isRepeatable: boolean;
}

/** Called after each failed attempt of one request. @returns the wait in ms before the next attempt; null: give up */
export type WaitAfter = (failed: FailedAttempt) => number | null;

/** Decides on the retries of a request: called once for each. */
export type RetryPolicy = () => WaitAfter;

export interface Retries {
  policy: RetryPolicy;
  onWait: (wait: Wait) => void;
}

/**
 * Retries a request after 429, because the service has not processed it. Retries after 502, 503, 504 or a lost
 * connection only if a repetition is safe.
 */
export const boundedRetries =
  ({ attemptsMax, waitMsMax }: RetryBounds): RetryPolicy =>
  () => {
    let attempts = 0;
    let waitedMs = 0;
    return ({ error, isRepeatable }) => {
      attempts += 1;
      const mayRepeat = statusOf(error) === 429 || (isRepeatable && isTransient(error));
      const ms = waitMs(error, attempts);
      if (!mayRepeat || attempts >= attemptsMax || waitedMs + ms > waitMsMax) return null;
      waitedMs += ms;
      return ms;
    };
  };

/**
 * @param send one attempt
 * @param waitAfter of this request: its limits apply to all attempts that use it
 * @param isRepeatable overrides whether a repetition is safe
 * @returns the last response, successful or not
 * @throws the error of the last attempt
 */
export async function withRetry(
  request: Request,
  send: () => Promise<Response>,
  waitAfter: WaitAfter,
  onWait: Retries['onWait'],
  isRepeatable = isHarmless(request),
): Promise<Response> {
  for (;;) {
    const outcome = await send()
      .then(received)
      .catch((error: unknown) => ({ error }));
    const answer = 'error' in outcome ? null : outcome;
    if (answer && answer.status < 500 && answer.status !== 429) return answer;
    const error = 'error' in outcome ? outcome.error : await errorOf(request, outcome.clone());
    const ms = waitAfter({ error, isRepeatable });
    if (ms === null) {
      if (answer) return answer;
      throw error;
    }
    await answer?.body?.cancel();
    onWait({ ms, status: statusOf(error), request: `${request.method} ${new URL(request.url).pathname}` });
    await pause(ms, request.signal);
  }
}

/** Waits for the whole body of a success, so that a cut one is a failed attempt. Only JSON is no stream. */
async function received(answer: Response): Promise<Response> {
  const isJson = JSON_TYPE.test(answer.headers.get('content-type') ?? '');
  if (answer.ok && isJson) await answer.clone().arrayBuffer();
  return answer;
}

/** Reads, uploads that count once, and previews. */
export const isHarmless = ({ method, headers, url }: Request): boolean =>
  method === 'GET' || headers.has('idempotency-key') || new URL(url).searchParams.get('dryRun') === 'true';

const errorOf = async ({ method }: Request, answer: Response): Promise<ApiError> =>
  ApiError.of(method, answer, await answer.json().catch(() => null));

const statusOf = (error: unknown): number | null => (error instanceof ApiError ? error.status : null);

/** Whether a retry may succeed. `fetch` throws a TypeError if the connection fails, and other errors otherwise. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError
    ? [502, 503, 504].includes(error.status)
    : (error as Error | undefined)?.name === 'TypeError';

/** The time that the service states, exponential back-off otherwise. */
function waitMs(error: unknown, attempt: number): number {
  const asked = error instanceof ApiError ? error.retryAfter : null;
  if (asked !== null) return Math.max(1, asked) * 1000;
  return Math.round(backOffMs(attempt, BACK_OFF, Math.random()));
}
