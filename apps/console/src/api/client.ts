import createClient from 'openapi-fetch';
import createQueryHooks from 'openapi-react-query';
import { endSession, session } from '../session/session.ts';
import type { components, paths } from './schema.ts';

/** Shapes of the HTTP interface by their names: `Api['FindingDto']`. */
export type Api = components['schemas'];

/** What a request fails with: the service's own error, or the browser's where nothing answered. */
export type Failure = Api['Error'] | Error;

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  // `type=va,edr`: alternatives stand behind one name (api.md).
  querySerializer: { array: { style: 'form', explode: false } },
});

client.use({
  onRequest: ({ request }) => {
    const { token } = session.current ?? {};
    if (token) request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
  onResponse: ({ response, request }) => {
    const isOwn = request.headers.get('authorization') === `Bearer ${session.current?.token}`;
    if (response.status === 401 && isOwn) endSession('expired');
    return undefined;
  },
});

/** `api.useQuery('get', path, {params})`, typed by the OpenAPI document. */
export const api = createQueryHooks(client);
