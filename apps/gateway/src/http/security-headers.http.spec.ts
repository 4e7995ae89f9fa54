import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRaw } from '../../../../test/support/raw-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const PAGE = 'https://page.example.com';
const NONE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let closed: StartedGateway;
let open: StartedGateway;

beforeAll(async () => {
  closed = await StartedGateway.start();
  open = await StartedGateway.start({
    env: { CORS_ORIGINS: `${PAGE}, http://localhost:5173`, TRUSTED_PROXIES: '127.0.0.0/8' },
  });
});
afterAll(() => Promise.all([closed.stop(), open.stop()]));

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

async function tokenOf(gateway: StartedGateway): Promise<string> {
  const authorization = basic(gateway.credentialsOf('admin'));
  const response = await fetch(`${gateway.url}/api/v3/auth`, { method: 'POST', headers: { authorization } });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

describe('every answer', () => {
  it.each([
    ['GET', '/api/v3/findings', 401],
    ['GET', '/api/v3/nothing', 404],
    ['POST', '/api/v3/signals/', 401],
    ['GET', '/api/v3/%c0', 400],
    ['GET', '/health/live', 200],
    ['GET', '/schemas/ids/1', 200],
    ['GET', '/', 302],
    ['GET', '/app/', 200],
    ['GET', '/docs', 200],
    ['GET', '/docs-json', 200],
  ])('forbids sniffing, framing and referrers: %s %s', async (method, path, status) => {
    const response = await fetch(`${closed.url}${path}`, { method, redirect: 'manual' });
    await response.text();
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.any(String),
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      'x-request-id': expect.any(String),
    });
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe-eval|\*|https?:/);
    expect(response.headers.has('x-powered-by')).toBe(false);
  });

  it('of the API runs and loads nothing, and stays in no cache; files and streams too', async () => {
    const authorization = `Bearer ${await tokenOf(closed)}`;
    for (const path of [
      '/api/v3/findings',
      '/api/v3/findings/export?format=csv',
      '/api/v3/changes',
      '/integrations',
      '/settings/os-to-safe-asset-type-mapping',
    ]) {
      const giveUp = new AbortController();
      const { headers, status } = await fetch(`${closed.url}${path}`, {
        headers: { authorization },
        signal: giveUp.signal,
      });
      giveUp.abort();
      expect([path, status, headers.get('content-security-policy'), headers.get('cache-control')]).toEqual([
        path,
        200,
        NONE,
        'no-store',
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    [400, { 'x-broken': 'x\r\nno header' }],
    [431, { 'x-long': 'x'.repeat(20_000) }],
  ])('of a connection without a request too: %s', async (status, headers) => {
    const request = { port: closed.port, method: 'GET', path: '/', headers, body: Buffer.alloc(0) };
    const answer = await sendRaw(request);
    expect(answer.status).toBe(status);
    expect(answer.headers).toContain('x-content-type-options: nosniff');
    expect(answer.headers).toContain(`content-security-policy: ${NONE}`);
    expect(answer.headers).toContain('cache-control: no-store');
  });
});

describe('a request with two Host headers', () => {
  it('is rejected, as a proxy may have read the other one', async () => {
    const { port } = new URL(closed.url);
    const request = { port: Number(port), method: 'GET', path: '/health/live', body: Buffer.alloc(0) };
    expect((await sendRaw(request)).status).toBe(200);
    const { status, body } = await sendRaw({ ...request, headers: { Host: 'elsewhere.example.com' } });
    expect([status, body?.message]).toEqual([400, 'the request must have exactly one Host header']);
  });
});

const ask = (gateway: StartedGateway, method: string, headers: Record<string, string>) =>
  fetch(`${gateway.url}/api/v3/auth`, { method, headers });
const corsHeadersOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};

describe('pages of other origins', () => {
  it('get no CORS headers by default', async () => {
    const authorization = basic(closed.credentialsOf('admin'));
    const preflight = await ask(closed, 'OPTIONS', { origin: PAGE, ...PREFLIGHT });
    expect([preflight.status, corsHeadersOf(preflight)]).toEqual([404, []]);
    expect(corsHeadersOf(await ask(closed, 'POST', { origin: PAGE, authorization }))).toEqual([]);
  });

  it('are permitted if CORS_ORIGINS names them, and never with credentials of the browser', async () => {
    const preflight = await ask(open, 'OPTIONS', { origin: PAGE, ...PREFLIGHT });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '600',
    });
    const asked = await ask(open, 'POST', {
      origin: PAGE,
      authorization: basic(open.credentialsOf('admin')),
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    expect(asked.headers.has('access-control-allow-credentials')).toBe(false);
    const other = await ask(open, 'OPTIONS', { origin: 'https://elsewhere.example.com', ...PREFLIGHT });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the address that failed sign-ins are counted by', () => {
  const LIMIT = 10;
  const wrong = (gateway: StartedGateway, username: string, forwarded: string) =>
    ask(gateway, 'POST', { authorization: basic(`${username}:wrong`), 'x-forwarded-for': forwarded });

  async function statusesOf(gateway: StartedGateway, addressOf: (i: number) => string): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (let i = 0; i <= LIMIT; i++) statuses.add((await wrong(gateway, 'viewer', addressOf(i))).status);
    return statuses;
  }

  it('is the one that connects, not that of a header', async () => {
    expect(await statusesOf(closed, (i) => `192.0.2.${i}`)).toEqual(new Set([401, 429]));
  });

  it('is the one reported by a proxy of TRUSTED_PROXIES', async () => {
    expect(await statusesOf(open, (i) => `192.0.2.${i}`)).toEqual(new Set([401]));
    expect(await statusesOf(open, () => '192.0.2.200')).toEqual(new Set([401, 429]));
  });
});
