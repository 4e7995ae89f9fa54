import createClient from 'openapi-fetch';
import createQueryHooks from 'openapi-react-query';
import { hideControls, hideControlsIn } from '../parts/show-controls.ts';
import { rejectToken, session, tokenInForce } from '../session/session.ts';
import { readable } from './readable-response.ts';
import type { components, paths } from './schema.ts';

/** Schemas of the HTTP API by name: `Api['FindingDto']`. */
export type Api = components['schemas'];

/** Error of a failed request: from the service, or from the browser if no response arrived. */
export type Failure = Api['Error'] | Error;

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  // `type=va,edr`: one parameter with all alternatives.
  querySerializer: { array: { style: 'form', explode: false } },
  fetch: fetchAsUser,
});

/** For routes that require no sign-in. */
export const anonymous = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: async (request) => readable(await fetch(request)),
});

/** `api.useQuery('get', path, {params})`, typed by the OpenAPI document. */
export const api = createQueryHooks(client);

/**
 * Sends a request as the user. If the session has expired, it waits for the sign-in and sends the request again, unless the
 * request may have taken effect.
 * @throws DOMException AbortError if the user signs out, also if another one has signed in since
 */
async function fetchAsUser(request: Request): Promise<Response> {
  const { url, method, signal } = request;
  const username = session.current?.username;
  // A sent request loses its body, so it is read first. This client sends no files.
  const body = hideControlsIn(await request.text());
  for (;;) {
    const token = await tokenInForce(signal);
    if (session.current?.username !== username)
      throw new DOMException('another user has signed in', 'AbortError');
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(hideControls(url), {
      method,
      headers,
      signal,
      ...(body !== '' && { body }),
    });
    if (response.status !== 401) return readable(response);
    rejectToken(token);
    const failure = await response
      .clone()
      .json()
      .catch(() => null);
    if (method !== 'GET' && failure?.mayHaveTakenEffect === true) return readable(response);
  }
}
