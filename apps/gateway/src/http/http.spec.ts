import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventLog, LogUnavailableError } from '#libs/event-log';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { sendRaw } from '../../../../test/support/raw-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const MB = 1_048_576;
/** The fault of the log at the next append. */
let fault: Error | null = null;
let gateway: StartedGateway;
let client: ApiClient;
let token: string;

beforeAll(async () => {
  gateway = await StartedGateway.start({ wrapLog: faulty });
  client = await gateway.client();
  token = `Bearer ${await accessToken()}`;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  fault = null;
});

const faulty = (log: EventLog): EventLog =>
  new Proxy(log, {
    get(target, name) {
      if (name === 'append' && fault) return () => Promise.reject(fault);
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

async function accessToken(): Promise<string> {
  const response = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}` },
  });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

const form = (file: Buffer) => {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="s.zip"\r\n\r\n';
  return {
    body: Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')]),
    contentType: 'multipart/form-data; boundary=b',
  };
};

describe('errors (R-HTTP-1)', () => {
  it('an unknown route is a 404 in JSON, with or without a token, for any method', async () => {
    for (const headers of [new Headers(), new Headers({ authorization: token })]) {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH']) {
        const response = await fetch(`${gateway.url}/api/v3/nothing?secret=1`, { method, headers });
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({
          statusCode: 404,
          error: 'Not Found',
          message: `the route ${method} /api/v3/nothing does not exist`,
        });
      }
    }
  });

  it('a URL that cannot be decoded is a 400 in the same form', async () => {
    const { status, body } = await sendRaw({
      port: gateway.port,
      method: 'GET',
      path: '/%zz',
      body: Buffer.alloc(0),
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: { statusCode: 400, error: 'Bad Request', message: expect.any(String) },
    });
  });

  it('an unknown query parameter is a 400 that names it (R-HTTP-5)', async () => {
    expect(await client.request('POST', '/api/v3/signals?dryRun=true', '{}')).toMatchObject({
      status: 400,
      body: { message: 'query parameter "dryRun" is unknown' },
    });
    const { body } = await client.signal(plainSignal('a finding', 'web01'));
    expect(await client.request('GET', `/api/v3/uploads/${body.uploadId}?wait=5`)).toMatchObject({
      status: 400,
      body: { message: 'query parameter "wait" is unknown' },
    });
    expect(await client.zip(Buffer.from('x'), {}, '?replace=va')).toMatchObject({
      status: 400,
      body: { message: 'replace is unknown' },
    });
    expect(await client.zip(Buffer.from('x'), {}, '?invalid=keep')).toMatchObject({
      status: 400,
      body: { message: 'invalid must be skip if present' },
    });
  });

  it('an internal error is a 500 with only the request id, logged once with the error', async () => {
    fault = new TypeError('secret detail');
    const logged = gateway.lines.length;
    const answer = await client.signal(plainSignal('a finding', 'web01'), { 'x-request-id': 'fault-1' });
    expect(answer).toMatchObject({
      status: 500,
      body: {
        statusCode: 500,
        error: 'Internal Server Error',
        message: 'internal error (request fault-1)',
      },
    });
    const errors = gateway.lines.slice(logged).filter((line) => line.includes('secret detail'));
    expect(errors).toHaveLength(1);
    expect(JSON.parse(errors[0]!)).toMatchObject({ level: 'error', requestId: 'fault-1' });
  });

  it('503 with seconds while the log takes nothing, for JSON and ZIP', async () => {
    fault = new LogUnavailableError('away');
    const zip = await zipOf({ 'a.json': plainSignal('a finding', 'web01') });
    for (const answer of [await client.signal(plainSignal('a finding', 'web01')), await client.zip(zip)]) {
      expect(answer).toMatchObject({
        status: 503,
        body: {
          statusCode: 503,
          message: expect.stringMatching(/the request was not acknowledged/),
          retryIn: 5,
        },
      });
      expect(answer.headers.get('retry-after')).toBe('5');
    }
  });

  it('logs rejected requests at level info, and the polls of an orchestrator not at all', async () => {
    fault = new LogUnavailableError('no space left');
    const logged = gateway.lines.length;
    await client.signal(plainSignal('a finding', 'web01'), { 'x-request-id': 'refused-1' });
    await fetch(`${gateway.url}/health/ready`);
    const lines = gateway.lines.slice(logged).map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(lines.find(({ requestId }) => requestId === 'refused-1')).toMatchObject({
      level: 'info',
      reason: 'no space left',
    });
  });
});

it.each([
  ['/api/v3/sign-in/x/finish', '', 3_000],
  ['/api/v3/tokens', 'a token', 100_000],
])('400: too many members at %s, before anything compares them (R-HTTP-11)', async (path, who, count) => {
  const members = Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 0]));
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(members),
    ...(who && { headers: { authorization: token } }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { message: `the body must contain at most 2000 members (got ${count})` },
  ]);
});

it.each([
  'application/json charset=utf-8',
  'application/json, text/plain',
  'application/json,charset=utf-8',
  'a/b/c',
])('an almost right content type, %s, counts as none (R-HTTP-3)', async (contentType) => {
  const statusOf = async (path: string, authorization: string) => {
    const headers = { 'content-type': contentType, ...(authorization && { authorization }) };
    const body = JSON.stringify(plainSignal('a finding', 'web01'));
    return (await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body })).status;
  };
  const basic = `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}`;
  expect(await statusOf('/api/v3/auth', basic)).toBe(200);
  expect(await statusOf('/api/v3/signals', token)).toBe(200);
  expect(await statusOf('/api/v3/signals', '')).toBe(401);
});

describe('request ids', () => {
  it('are returned, the own one if the given one is invalid', async () => {
    const idFor = async (given: string) => {
      const response = await fetch(`${gateway.url}/health/live`, { headers: { 'x-request-id': given } });
      return response.headers.get('x-request-id');
    };
    expect(await idFor('trace-1')).toBe('trace-1');
    expect(await idFor('i'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a rejected body is read to its end, so that every client sees the answer (R-HTTP-4)', () => {
  const cases = [
    { isChunked: false, expectsContinue: false },
    { isChunked: true, expectsContinue: false },
    { isChunked: false, expectsContinue: true },
  ];

  it.each(cases)('413: a JSON body of 6 MB, %j', async (how) => {
    const answer = await sendRaw({
      port: gateway.port,
      path: '/api/v3/signals',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: Buffer.alloc(6 * MB, 32),
      ...how,
    });
    expect(answer).toMatchObject({
      status: 413,
      body: { statusCode: 413, error: 'Payload Too Large', message: 'the body exceeds 1 MB' },
    });
  });

  it.each(cases)('413: a ZIP of 6 MB, %j', async (how) => {
    const { body, contentType } = form(Buffer.alloc(6 * MB));
    const answer = await sendRaw({
      port: gateway.port,
      path: '/api/v3/signals/zip',
      headers: { authorization: token, 'content-type': contentType },
      body,
      ...how,
    });
    expect(answer).toMatchObject({
      status: 413,
      body: { message: 'the ZIP exceeds 5 MB: split it, with all signals of an asset in the same ZIP' },
    });
  });

  it.each(cases)('401: 6 MB without a token, %j', async (how) => {
    const { body, contentType } = form(Buffer.alloc(6 * MB));
    const headers = { 'content-type': contentType };
    for (const path of ['/api/v3/signals/zip', '/api/v3/signals']) {
      const answer = await sendRaw({ port: gateway.port, path, headers, body, ...how });
      expect(answer).toMatchObject({ status: 401, body: { statusCode: 401 } });
    }
  });

  it.each(cases)('404: 6 MB to an unknown route, %j', async (how) => {
    const body = Buffer.alloc(6 * MB);
    const answer = await sendRaw({ port: gateway.port, path: '/api/v3/nothing', body, ...how });
    expect(answer).toMatchObject({ status: 404, body: { statusCode: 404 } });
  });

  it('400: 4 MB that are no multipart form', async () => {
    const answer = await sendRaw({
      port: gateway.port,
      path: '/api/v3/signals/zip',
      headers: { authorization: token, 'content-type': 'application/zip' },
      body: Buffer.alloc(4 * MB),
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/multipart\/form-data/) },
    });
  });

  it('does not read on without end: the connection closes after 16 MB', async () => {
    const sent = sendRaw({ port: gateway.port, path: '/api/v3/nothing', body: Buffer.alloc(64 * MB) });
    const outcome = await sent.then(
      ({ headers }) => headers,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(outcome).toMatch(/connection: close|EPIPE|ECONNRESET/);
  });

  it('keeps the connection for the next request', async () => {
    const big = 'x'.repeat(2 * MB);
    for (let i = 0; i < 3; i++) expect((await client.signal(big)).status).toBe(413);
    expect((await client.get('/health/live')).status).toBe('live');
  });
});
