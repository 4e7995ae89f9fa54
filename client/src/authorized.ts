import { type Patience, patiently } from './patience.ts';
import type { Session } from './session.ts';

/** Sends requests under an access token: in place of one that has ended, once, under another. */
export const authorized =
  (session: Session, send: (request: Request) => Promise<Response>, patience: Patience) =>
  async (request: Request): Promise<Response> => {
    async function under(token: string): Promise<Response> {
      // A body can be sent once; the request itself stays whole for the next attempt.
      const sent = request.clone();
      sent.headers.set('authorization', `Bearer ${token}`);
      return send(sent);
    }
    const token = await session.token();
    const response = await patiently(request, () => under(token), patience);
    if (response.status !== 401 || !(await session.refused(token))) return response;
    await response.body?.cancel();
    const another = await session.token();
    return patiently(request, () => under(another), patience);
  };
