import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ScriptedServer, type Step } from '../../test/fixtures/client/scripted-server.ts';
import { collectGarbage } from '../../test/support/retained-bytes.ts';
import { until } from '../../test/support/until.ts';
import { ApiError, createClient, type FailedAttempt, type Wait } from './index.ts';

let server: ScriptedServer;
let waits: Wait[];
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

const LIST = 'GET /api/v3/findings';
const SIGNAL = 'POST /api/v3/signals';
const ACCEPT = 'POST /api/v3/findings/f/accept';
const ONE_PAGE: Step = { body: { items: [], nextCursor: null } };
const BUSY: Step = { status: 429, headers: { 'retry-after': '1' }, body: { message: '1', retryIn: 1 } };
const AWAY: Step = { status: 503, body: { message: 'the database is away: try again' } };
const EXPIRED: Step = { status: 401, body: { statusCode: 401, error: 'Unauthorized', message: 'expired' } };

async function clientOf(script: Record<string, Step[]>, given: object = {}) {
  server = await ScriptedServer.start(script);
  waits = [];
  const onWait = (wait: Wait) => waits.push(wait);
  return createClient({ url: `${server.url}/`, username: 'zoë', password: 'p:w', onWait, ...given });
}

const authorizations = () =>
  server.asked
    .filter(({ request }) => request !== 'POST /api/v3/auth')
    .map(({ headers }) => headers.authorization);

describe('signing in', () => {
  it('happens before the first request, once for all concurrent requests', async () => {
    const client = await clientOf({ [LIST]: [ONE_PAGE] });
    await Promise.all([client.get('/api/v3/findings'), client.get('/api/v3/findings')]);
    expect(server.signIns).toBe(1);
    expect(server.asked[0]!.headers.authorization).toBe(`Basic ${Buffer.from('zoë:p:w').toString('base64')}`);
    expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-1']);
  });

  it('happens again, once, after the token expires', async () => {
    const client = await clientOf({ [LIST]: [ONE_PAGE, EXPIRED, ONE_PAGE] });
    await client.get('/api/v3/findings');
    await client.get('/api/v3/findings');
    expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it('does not repeat forever', async () => {
    const client = await clientOf({ [LIST]: [EXPIRED] });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({ name: 'ApiError', status: 401 });
    expect(server.requests).toHaveLength(2);
  });

  it('fails with the message of the service, and the next request retries it', async () => {
    const wrong: Step = { status: 401, body: { message: 'wrong user name or password' } };
    const right: Step = { body: { accessToken: 't' } };
    const client = await clientOf({ 'POST /api/v3/auth': [wrong, right], [LIST]: [ONE_PAGE] });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({
      status: 401,
      request: 'POST /api/v3/auth',
      message: 'wrong user name or password',
    });
    expect(server.requests).toEqual([]);
    await client.get('/api/v3/findings');
  });

  it('uses a token function, and calls it again after a token is rejected', async () => {
    const given = ['a', 'b'];
    const client = await clientOf({ [LIST]: [EXPIRED, ONE_PAGE] }, { token: () => given.shift()! });
    await client.get('/api/v3/findings');
    expect(authorizations()).toEqual(['Bearer a', 'Bearer b']);
  });

  it('does not repeat an action that may have taken effect when its token expired', async () => {
    const began: Step = { status: 401, body: { message: 'expired', mayHaveTakenEffect: true } };
    const client = await clientOf({ [ACCEPT]: [began, { body: {} }], [LIST]: [began, ONE_PAGE] });
    const accepted = client.post('/api/v3/findings/{id}/accept', {
      params: { path: { id: 'f' } },
      body: { rationale: 'x' },
    });
    await expect(accepted).rejects.toMatchObject({ status: 401 });
    await client.get('/api/v3/findings');
    expect(server.requests.filter((request) => [ACCEPT, LIST].includes(request))).toEqual([
      ACCEPT,
      LIST,
      LIST,
    ]);
  });

  it('is skipped if a token is given', async () => {
    const client = await clientOf({ [LIST]: [EXPIRED] }, { token: 'a' });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({ status: 401 });
    expect(authorizations()).toEqual(['Bearer a']);
  });
});

describe('retries', () => {
  it('wait as long as a busy service requests, for any method', async () => {
    const client = await clientOf({ [ACCEPT]: [BUSY, { body: { id: 'f' } }] });
    const options = { params: { path: { id: 'f' } }, body: { rationale: 'known' } };
    expect(await client.post('/api/v3/findings/{id}/accept', options)).toEqual({ id: 'f' });
    expect(waits).toEqual([{ ms: 1000, status: 429, request: ACCEPT }]);
    expect(server.asked.at(-1)!.body).toBe('{"rationale":"known"}');
  });

  it('stop, with the seconds, if the wait exceeds the limit', async () => {
    const long: Step = { status: 429, headers: { 'retry-after': '3600' }, body: { message: '3600' } };
    const client = await clientOf({ [LIST]: [long] });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({
      status: 429,
      retryAfter: 3600,
      message: 'the service is busy: retry in 3600 s',
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Step]>([
    ['a 503', AWAY],
    ['a cut connection', 'cut'],
    ['a cut body', { text: '{"half":', isCut: true }],
  ])('repeats reads and uploads after %s, an upload under its own key', async (_, failure) => {
    const client = await clientOf({
      [LIST]: [failure, ONE_PAGE],
      [SIGNAL]: [failure, { body: { success: true } }],
    });
    await client.get('/api/v3/findings');
    await client.sendSignal({} as never);
    expect(server.requests).toEqual([LIST, LIST, SIGNAL, SIGNAL]);
    const [first, second] = server.asked.slice(-2).map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  it('do not repeat a request that may have been processed', async () => {
    const client = await clientOf({ [ACCEPT]: [AWAY, { body: {} }] });
    const options = { params: { path: { id: 'f' } }, body: { rationale: 'known' } };
    await expect(client.post('/api/v3/findings/{id}/accept', options)).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toEqual([ACCEPT]);
  });

  it('stop after the maximum number of attempts', async () => {
    const client = await clientOf({ [LIST]: [AWAY] }, { retry: { attemptsMax: 2 } });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(2);
  });

  it('have the same limit for sign-ins', async () => {
    const client = await clientOf({ 'POST /api/v3/auth': ['cut'] }, { retry: { attemptsMax: 2 } });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({ name: 'TypeError' });
    expect(server.signIns).toBe(2);
  });

  it('repeat a preview, which stores nothing', async () => {
    const PREVIEW = 'POST /api/v3/signals/zip';
    const client = await clientOf({ [PREVIEW]: ['cut', AWAY, { body: { dryRun: true } }] });
    expect(await client.previewZip(new Uint8Array([80, 75]))).toEqual({ dryRun: true });
    expect(server.requests).toEqual(Array(3).fill(`${PREVIEW}?dryRun=true`));
  });

  it('follow a given policy, which sees each failure of a request', async () => {
    const seen: [number, unknown, boolean][] = [];
    let requests = 0;
    const retry = () => {
      requests += 1;
      return ({ error, isRepeatable }: FailedAttempt) => {
        const told = error instanceof ApiError ? error.message : (error as Error).name;
        seen.push([requests, told, isRepeatable]);
        return told === 'stop' ? null : 1;
      };
    };
    const stop: Step = { status: 500, body: { message: 'stop' } };
    const client = await clientOf({ [LIST]: ['cut', AWAY, stop], [ACCEPT]: [stop] }, { retry });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({ status: 500, message: 'stop' });
    const options = { params: { path: { id: 'f' } }, body: { rationale: 'known' } };
    await expect(client.post('/api/v3/findings/{id}/accept', options)).rejects.toThrow('stop');
    expect(seen).toEqual([
      [2, 'TypeError', true],
      [2, 'the database is away: try again', true],
      [2, 'stop', true],
      [3, 'stop', false],
    ]);
    expect(waits.map(({ ms, status }) => [ms, status])).toEqual([
      [1, null],
      [1, 503],
    ]);
  });

  it('do not repeat an action after a cut body', async () => {
    const client = await clientOf({ [ACCEPT]: [{ text: '{"half":', isCut: true }, { body: {} }] });
    const options = { params: { path: { id: 'f' } }, body: { rationale: 'known' } };
    await expect(client.post('/api/v3/findings/{id}/accept', options)).rejects.toThrow(TypeError);
    expect(server.requests).toEqual([ACCEPT]);
  });

  it('stop if the signal aborts', async () => {
    const client = await clientOf({ [LIST]: [{ status: 429, headers: { 'retry-after': '60' } }] });
    const asked = client.get('/api/v3/findings', { signal: AbortSignal.timeout(200) });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('an export', () => {
  it.each(['application/jsonl; charset=utf-8', 'text/csv; charset=utf-8'])(
    'is a stream that is read while it is sent: %s',
    async (type) => {
      const begun: Step = { headers: { 'content-type': type }, text: 'first\n', stay: true };
      const client = await clientOf({ 'GET /api/v3/findings/export': [begun] });
      const { data } = await client.raw.GET('/api/v3/findings/export', {
        params: { query: { format: 'jsonl' } },
        parseAs: 'stream',
      });
      const reader = data!.getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('first\n');
      await reader.cancel();
    },
  );
});

describe('a signal', () => {
  const stalled: Step = { stay: true };
  const signal = () => AbortSignal.timeout(100);

  it('ends calls that wait for the sign-in, and not the sign-in', async () => {
    const client = await clientOf({ 'POST /api/v3/auth': [stalled] }, { retry: { attemptsMax: 1 } });
    const other = client.get('/api/v3/findings').catch((error: Error) => error.name);
    const asked = client.get('/api/v3/findings', { signal: signal() });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.signIns).toBe(1);
    server.cut();
    expect(await other).toBe('TypeError');
  });

  /** Aborts after everything that is not in use was collected. */
  async function abortLate(request: AbortController) {
    for (let i = 0; i < 3; i++) {
      await new Promise(setImmediate);
      collectGarbage();
    }
    request.abort();
  }

  it('ends a response that has stalled', async () => {
    const client = await clientOf({ [LIST]: [{ text: '{"half":', stay: true }] }, { token: 'a' });
    const sent = jest.spyOn(globalThis, 'fetch');
    const request = new AbortController();
    const list = client.get('/api/v3/findings', { signal: request.signal });
    await until('the request', () => sent.mock.results.length === 1);
    await sent.mock.results[0]!.value;
    await Promise.all([expect(list).rejects.toMatchObject({ name: 'AbortError' }), abortLate(request)]);
  });

  it('ends a stream that has stalled', async () => {
    const begun: Step = { headers: { 'content-type': 'text/csv' }, text: 'id', stay: true };
    const client = await clientOf({ 'GET /api/v3/findings/export': [begun] });
    const request = new AbortController();
    const { data } = await client.raw.GET('/api/v3/findings/export', {
      params: { query: { format: 'csv' } },
      parseAs: 'stream',
      signal: request.signal,
    });
    const reader = data!.getReader();
    await reader.read();
    await Promise.all([
      expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' }),
      abortLate(request),
    ]);
  });

  it('ends an upload whose stream has stalled', async () => {
    const client = await clientOf({});
    async function* endless() {
      yield new Uint8Array(1);
      await new Promise(() => {});
    }
    const sent = client.uploadZip(endless(), { signal: signal() });
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('errors', () => {
  it('contain message, problems and request id', async () => {
    const body = {
      statusCode: 400,
      error: 'Bad Request',
      message: '2 of 3 entries are malformed',
      errors: [
        { entry: 'a.json', field: 'entity.name', message: 'is missing' },
        { entry: null, field: 'config', message: 'is no object' },
      ],
    };
    const client = await clientOf({
      'POST /api/v3/signals/zip': [{ status: 400, headers: { 'x-request-id': 'r-1' }, body }],
    });
    const failure = await client.uploadZip(new Uint8Array([80, 75])).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'ApiError',
      message: '2 of 3 entries are malformed',
      status: 400,
      request: 'POST /api/v3/signals/zip',
      requestId: 'r-1',
      paths: ['a.json: entity.name', 'config'],
      problems: body.errors,
    });
  });

  it('do not contain the page of a proxy', async () => {
    const text = '<html>secret</html>';
    const client = await clientOf({
      [LIST]: [{ status: 403, headers: { 'content-type': 'text/html' }, text }],
    });
    await expect(client.get('/api/v3/findings')).rejects.toMatchObject({
      message: 'GET /api/v3/findings failed with status 403',
      requestId: null,
    });
  });
});

describe('lists', () => {
  it('request pages on demand, each with the filters', async () => {
    const page = (id: string, nextCursor: string | null): Step => ({ body: { items: [{ id }], nextCursor } });
    const client = await clientOf({ [LIST]: [page('a', 'c1'), page('b', 'c2'), page('c', null)] });
    const query = { limit: 1, type: ['va', 'edr'] } as const;
    const found: string[] = [];
    for await (const { id } of client.items('/api/v3/findings', {
      params: { query: { ...query, type: ['va', 'edr'] } },
    })) {
      found.push(id);
      if (id === 'b') break;
    }
    expect(found).toEqual(['a', 'b']);
    expect(server.requests).toEqual([`${LIST}?limit=1&type=va,edr`, `${LIST}?limit=1&type=va,edr&cursor=c1`]);
  });
});

describe('uploads', () => {
  const ZIP = 'POST /api/v3/signals/zip';
  const zip = new TextEncoder().encode('PK-bytes');
  async function* inParts() {
    yield zip.subarray(0, 2);
    yield zip.subarray(2);
  }
  const kinds: [string, () => Parameters<ReturnType<typeof createClient>['uploadZip']>[0]][] = [
    ['bytes', () => zip],
    ['a buffer', () => Buffer.from(zip)],
    ['a file', () => new Blob([zip])],
    ['a web stream', () => new Blob([zip]).stream()],
    ['an async iterable', inParts],
  ];

  it.each(kinds)('accept a ZIP as %s, and send it completely on a retry', async (_, given) => {
    const client = await clientOf({ [ZIP]: [EXPIRED, { body: { uploadId: 'u' } }] });
    expect(await client.uploadZip(given(), { skipInvalid: true })).toEqual({ uploadId: 'u' });
    expect(server.requests).toEqual([`${ZIP}?invalid=skip`, `${ZIP}?invalid=skip`]);
    for (const { body, request } of server.asked) {
      if (request.includes('zip'))
        expect(body).toContain(
          'name="file"; filename="signals.zip"\r\nContent-Type: application/zip\r\n\r\nPK-bytes\r\n',
        );
    }
  });

  it('reject an endless stream', async () => {
    const client = await clientOf({ [ZIP]: [{ body: {} }] });
    async function* endless() {
      for (;;) yield new Uint8Array(1024 * 1024);
    }
    await expect(client.uploadZip(endless())).rejects.toThrow(RangeError);
    expect(server.requests).toEqual([]);
  });

  it('are polled until they are folded', async () => {
    const upload = { id: 'u', accepted: 2, folded: 1 };
    const script = {
      'GET /api/v3/uploads/u': [{ body: { ...upload, done: false } }, { body: { ...upload, done: true } }],
    };
    const client = await clientOf(script);
    expect(await client.waitUntilFolded({ uploadId: 'u' })).toMatchObject({ done: true });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a wait for an upload', () => {
  const upload = { id: 'u', accepted: 2, folded: 1, done: false };
  const READ = 'GET /api/v3/uploads/u';

  it('ends in time if the service does not answer', async () => {
    const client = await clientOf({ 'POST /api/v3/auth': [{ stay: true }] }, { retry: { attemptsMax: 1 } });
    await expect(client.waitUntilFolded('u', { timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('ends in time, with the last state', async () => {
    const timeout = new AbortController();
    const timeouts = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
    const client = await clientOf({ [READ]: [{ body: upload }, { stay: true }] });
    const waiting = client.waitUntilFolded('u', { timeoutMs: 500 });
    await until('the second question', () => server.requests.length === 2);
    timeout.abort();
    await expect(waiting).rejects.toMatchObject({
      name: 'NotFoldedError',
      message: 'upload u: 1 of 2 signals folded after 500 ms',
      upload,
    });
    expect(timeouts).toHaveBeenCalledWith(500);
  });

  it('ends with its signal', async () => {
    const client = await clientOf({ [READ]: [{ body: upload }] });
    const waiting = client.waitUntilFolded('u', { signal: AbortSignal.timeout(50) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('changes', () => {
  const CHANGES = 'GET /api/v3/changes';
  const STREAM = { 'content-type': 'text/event-stream' };
  const event = (id: string) => `event: finding\ndata: {"id":"${id}"}\nid: f:${id}\n\n`;
  const begin = (id: string) => `retry: 2000\nid: f:${id}\n\n`;

  it('resume after the last change, also if none arrived yet', async () => {
    const client = await clientOf(
      {
        [CHANGES]: [
          { headers: STREAM, text: begin('0'), stay: true },
          AWAY,
          { headers: STREAM, text: `${begin('0')}${event('1')}` },
          { headers: STREAM, text: event('2'), stay: true },
        ],
      },
      { retry: { attemptsMax: 1 } },
    );
    const stood: string[] = [];
    const onOpen = (id: string) => {
      stood.push(id);
      if (stood.length === 1) server.cut();
    };
    const taken = [];
    for await (const change of client.changes({ topics: ['findings', 'scores'], onOpen })) {
      taken.push(change);
      if (taken.length === 2) break;
    }
    expect(taken).toEqual([
      { id: 'f:1', kind: 'finding', data: { id: '1' } },
      { id: 'f:2', kind: 'finding', data: { id: '2' } },
    ]);
    expect(stood).toEqual(['f:0', 'f:0', 'f:2']);
    expect(server.asked.slice(1).map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      'f:0',
      'f:0',
      'f:1',
    ]);
    expect(new Set(server.requests)).toEqual(new Set([`${CHANGES}?topics=findings%2Cscores`]));
  });

  it.each([
    ['the credential was revoked', 'revoked', 'RevokedError'],
    ['the rights of the caller were changed', 'changed', 'AccessChangedError'],
  ])('fail if %s', async (_, reason, name) => {
    const end = `event: end\ndata: {"reason":"${reason}","message":"sign in"}\n\n`;
    const client = await clientOf({ [CHANGES]: [{ headers: STREAM, text: `${begin('0')}${end}` }] });
    await expect(client.changes().next()).rejects.toMatchObject({ name, message: 'sign in' });
    expect(server.requests).toHaveLength(1);
  });

  it('fail if an event is too large: it would be the same after a reconnect', async () => {
    const large = `data: ${'x'.repeat(17 * 1024 * 1024)}\n\n`;
    const step = { headers: STREAM, text: `${begin('0')}${event('1')}${large}` };
    const client = await clientOf({ [CHANGES]: [step, step] });
    const changes = client.changes();
    expect(await changes.next()).toMatchObject({ value: { id: 'f:1' } });
    await expect(changes.next()).rejects.toMatchObject({ name: 'EventTooLargeError' });
    expect(server.requests).toHaveLength(1);
  });

  it('resume with a new token after the token expires', async () => {
    const expired = 'event: end\ndata: {"reason":"expired","message":"sign in again"}\n\n';
    const client = await clientOf({
      [CHANGES]: [
        { headers: STREAM, text: `${begin('0')}${event('1')}${expired}` },
        { headers: STREAM, text: event('2'), stay: true },
      ],
    });
    const taken = [];
    for await (const change of client.changes()) {
      taken.push(change.id);
      if (taken.length === 2) break;
    }
    expect(taken).toEqual(['f:1', 'f:2']);
  });

  it('end if the signal aborts', async () => {
    const client = await clientOf({ [CHANGES]: [{ headers: STREAM, text: begin('0'), stay: true }] });
    const ended = new AbortController();
    const taken = [];
    for await (const change of client.changes({ signal: ended.signal, onOpen: () => ended.abort() }))
      taken.push(change);
    expect(taken).toEqual([]);
  });

  it('fail if the service rejects the request', async () => {
    const client = await clientOf({
      [CHANGES]: [{ status: 400, body: { message: 'must be the id of an event' } }],
    });
    await expect(client.changes({ after: 'x' }).next()).rejects.toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(1);
  });
});
