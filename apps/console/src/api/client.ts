import createClient from 'openapi-fetch';
import createQueryHooks from 'openapi-react-query';
import { refuseToken, tokenInForce } from '../session/session.ts';
import { readable } from './readable-response.ts';
import type { components, paths } from './schema.ts';

/** Shapes of the HTTP interface by their names: `Api['FindingDto']`. */
export type Api = components['schemas'];

/** What a request fails with: the service's own error, or the browser's where nothing answered. */
export type Failure = Api['Error'] | Error;

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  // `type=va,edr`: alternatives stand behind one name (api.md).
  querySerializer: { array: { style: 'form', explode: false } },
  fetch: fetchAsUser,
});

/** `api.useQuery('get', path, {params})`, typed by the OpenAPI document. */
export const api = createQueryHooks(client);

/** Sends a request for the user. One that meets an ended session waits for the sign-in, and is sent again. */
async function fetchAsUser(request: Request): Promise<Response> {
  const { url, method, signal } = request;
  // Of a request that is sent, the body is gone; files are not sent by this client.
  const body = await request.text();
  for (;;) {
    const token = await tokenInForce(signal);
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(url, { method, headers, signal, ...(body !== '' && { body }) });
    if (response.status !== 401) return readable(response);
    refuseToken(token);
  }
}
