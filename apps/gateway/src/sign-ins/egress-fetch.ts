import type { CustomFetchOptions } from 'openid-client';
import type { Egress } from '#libs/egress';

const BYTES_MAX = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const BODYLESS = new Set([204, 205, 304]);

type FetchOptions = Pick<CustomFetchOptions, 'method'> & {
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
};

/** `fetch` for requests to identity providers, by the one way out of the service. Redirects are not followed. */
export const egressFetch =
  (egress: Egress) =>
  async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const answer = await egress.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: Object.fromEntries(new Headers(headers).entries()),
      ...(body != null && { body: String(body) }),
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
    });
    const { 'content-encoding': _, ...kept } = answer.headers;
    return new Response(BODYLESS.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: kept,
    });
  };
