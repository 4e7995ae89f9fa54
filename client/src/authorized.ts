import { abortable } from './abortable.ts';
import { isHarmless, type Retries, withRetry } from './retry.ts';
import type { Session } from './session.ts';

/** One attempt, which `signal` ends. */
export type Send = (request: Request, signal?: AbortSignal) => Promise<Response>;

/** Node 20 no longer ends a body by the signal of its request after the request was collected as garbage. */
const requestOfBody = new WeakMap<ReadableStream, Request>();

/** Sends requests with an access token. After 401 it retries once with a new token, unless the request may have taken effect. */
export const authorized =
  (session: Session, send: Send, { policy, onWait }: Retries) =>
  async (request: Request): Promise<Response> => {
    async function under(token: string): Promise<Response> {
      // A body can be sent only once, so each attempt sends a clone.
      const sent = request.clone();
      sent.headers.set('authorization', `Bearer ${token}`);
      const answer = await send(sent, request.signal);
      if (answer.body) requestOfBody.set(answer.body, request);
      return answer;
    }
    // The limits apply to the request, also if it continues with a new token.
    const waitAfter = policy();
    const { signal } = request;
    const token = await abortable(session.token(), signal);
    const response = await withRetry(request, () => under(token), waitAfter, onWait);
    if (response.status !== 401 || !(await abortable(session.discard(token), signal))) return response;
    if (!isHarmless(request) && (await mayHaveTakenEffect(response.clone()))) return response;
    await response.body?.cancel();
    const another = await abortable(session.token(), signal);
    return withRetry(request, () => under(another), waitAfter, onWait);
  };

/** Whether the access ended after the request had begun to act. */
async function mayHaveTakenEffect(response: Response): Promise<boolean> {
  const body = (await response.json().catch(() => null)) as { mayHaveTakenEffect?: unknown } | null;
  return body?.mayHaveTakenEffect === true;
}
