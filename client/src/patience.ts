import { secondsAsked } from './api-error.ts';
import { pause } from './pause.ts';

export interface RetryBounds {
  /** Attempts of one request, the first among them. */
  attemptsMax: number;
  /** All waits of one request together; whoever is asked to wait for longer gets the error instead. */
  waitMsMax: number;
}

export const RETRY_BOUNDS: RetryBounds = { attemptsMax: 6, waitMsMax: 120_000 };

const BACKOFF_MS_MIN = 500;

/** Told before each wait. */
export interface Wait {
  ms: number;
  /** Status of the answer; null where there was none. */
  status: number | null;
  /** `GET /api/v3/findings` */
  request: string;
}

export interface Patience {
  bounds: RetryBounds;
  onWait: (wait: Wait) => void;
}

/**
 * Sends a request again where the service was busy (429), as it has done nothing then; and after a 502, 503, 504 or a
 * cut connection where the request may be repeated: it only reads, or carries an `Idempotency-Key`.
 * @param send one attempt
 * @param isRepeatable where its caller knows better
 * @returns the last answer, a success or not
 * @throws what the last attempt has thrown
 */
export async function patiently(
  request: Request,
  send: () => Promise<Response>,
  { bounds, onWait }: Patience,
  isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key'),
): Promise<Response> {
  let waitedMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send().catch((error: unknown) => ({ error }));
    const answer = 'error' in outcome ? null : outcome;
    const mayRepeat = answer?.status === 429 || (isRepeatable && isPassing(outcome));
    const ms = waitMs(answer, attempt);
    if (!mayRepeat || attempt >= bounds.attemptsMax || waitedMs + ms > bounds.waitMsMax) {
      if ('error' in outcome) throw outcome.error;
      return outcome;
    }
    await answer?.body?.cancel();
    onWait({
      ms,
      status: answer?.status ?? null,
      request: `${request.method} ${new URL(request.url).pathname}`,
    });
    await pause(ms, request.signal);
    waitedMs += ms;
  }
}

/** Whether another attempt may mend it. `fetch` fails with a TypeError where a connection does, and else with others. */
const isPassing = (outcome: Response | { error: unknown }): boolean =>
  'error' in outcome
    ? (outcome.error as Error | undefined)?.name === 'TypeError'
    : [502, 503, 504].includes(outcome.status);

/** As long as the service asks for; further and further apart where it does not say. */
function waitMs(answer: Response | null, attempt: number): number {
  const asked = answer && secondsAsked(answer);
  if (asked !== null) return Math.max(1, asked) * 1000;
  const ceiling = BACKOFF_MS_MIN * 2 ** attempt;
  // Over the upper half, so that clients that failed together do not come back together.
  return Math.round((ceiling * (1 + Math.random())) / 2);
}
