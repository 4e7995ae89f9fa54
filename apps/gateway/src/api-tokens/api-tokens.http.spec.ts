import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { untilLockWait } from '../../../../test/support/lock-wait.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { SCOPES } from '../auth/scopes.ts';

const PATH = '/api/v3/tokens';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any wait for the next reading of tokens, which is half a second. */
const ENDS_MS_MAX = 8_000;

let now = Date.parse('2026-03-02T08:00:00.000Z');
let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  gateway = await StartedGateway.start({ folds: true, clock: () => now, env });
  other = await StartedGateway.start({ beside: gateway, clock: () => now, env });
  admin = await gateway.client('admin');
});
afterAll(async () => {
  await other?.stop();
  await gateway?.stop();
});

const asAdmin = (method: string, path: string, body?: unknown) =>
  admin.request(method, path, body === undefined ? undefined : JSON.stringify(body));

let names = 0;
const add = async (scopes: string[] = ['uploads:read'], more: object = {}) => {
  const { status, body } = await asAdmin('POST', PATH, { name: `token-${++names}`, scopes, ...more });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};

async function use(
  token: string,
  path = '/api/v3/uploads',
  { at = gateway, body, headers = {} }: { at?: StartedGateway; body?: unknown; headers?: object } = {},
): Promise<Pick<Answer, 'status' | 'body'>> {
  const answer = await fetch(`${at.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const statusOf = async (...asked: Parameters<typeof use>) => (await use(...asked)).status;

describe('API tokens (R-AUTH-14)', () => {
  it('are shown once; of each, the hash is stored', async () => {
    const made = await add(['signals:write', 'uploads:read']);
    expect(made).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      scopes: ['signals:write', 'uploads:read'],
      networks: [],
      departments: null,
      locations: null,
      createdAt: new Date(now).toISOString(),
      expiresAt: null,
      previousUntil: null,
      lastUsedAt: null,
      version: 1,
      token: expect.stringMatching(/^posture_[\w-]{43}$/),
    });
    const { token, ...shown } = made;
    expect((await admin.all(PATH)).find(({ id }) => id === made.id)).toEqual(shown);
    expect(await admin.get(`${PATH}/${made.id}`)).toEqual(shown);
    const { rows } = await gateway.database.pool.query('select * from api_tokens where id = $1', [made.id]);
    expect(rows[0].secret_hash).toEqual(createHash('sha256').update(token).digest());
    expect(await use(token)).toMatchObject({ status: 200 });
    expect(gateway.lines.join('')).not.toContain(token);
  });

  it('permit what their scopes permit, and nothing else', async () => {
    const { token } = await add(['signals:write']);
    expect(await statusOf(token, '/api/v3/signals', { body: plainSignal('by token', 'web01') })).toBe(200);
    expect(await use(token, '/api/v3/findings')).toMatchObject({
      status: 403,
      body: {
        message: 'this operation requires the scope findings:read: the API token does not have it',
      },
    });
    expect(await statusOf(token, `/api/v3/findings/${NOBODY}/accept`, { body: { rationale: 'x' } })).toBe(
      403,
    );
  });

  it('name themselves in uploads and in the audit trail', async () => {
    const { token, name } = await add(['signals:write', 'uploads:read', 'credentials:write']);
    const { body } = await use(token, '/api/v3/signals', { body: plainSignal('named', 'web02') });
    expect(await admin.folded(body.uploadId)).toMatchObject({ by: `token:${name}` });
    const made = await use(token, PATH, { body: { name: `${name}-child`, scopes: ['uploads:read'] } });
    const acts = () => admin.all(`/api/v3/audit?target=${made.body.id}`);
    await until('the fold', async () => (await acts()).length === 1);
    expect(await acts()).toMatchObject([{ action: 'credential.tokenCreated', user: `token:${name}` }]);
  });

  it('get their name and scopes at /me, as credentials do', async () => {
    const { token, id, name } = await add(['assets:read']);
    const all = { departments: null, locations: null, sla: null };
    expect((await use(token, '/api/v3/me')).body).toEqual({
      kind: 'token',
      id,
      name,
      scopes: ['assets:read'],
      ...all,
    });
    expect(await admin.get('/api/v3/me')).toEqual({
      kind: 'credential',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'admin',
      scopes: [...SCOPES],
      ...all,
    });
  });

  it('are taken by DefectDojo’s import API too', async () => {
    const { token } = await add(['uploads:read']);
    const headers = { authorization: `Token ${token}` };
    expect(await statusOf(token, '/api/v2/products/', { headers })).toBe(200);
  });

  it('grant no scope that their creator does not have', async () => {
    const { token } = await add(['credentials:write', 'uploads:read']);
    const powerful = await add([...SCOPES]);
    const asked = { name: 'escalation', scopes: ['uploads:read', 'settings:write'] };
    expect(await use(token, PATH, { body: asked })).toMatchObject({
      status: 403,
      body: { message: 'you may grant only scopes that you have yourself: you do not have settings:write' },
    });
    expect(await statusOf(token, `${PATH}/${powerful.id}/rotate`, { body: {} })).toBe(403);
  });

  it('do not make credentials with more than their scopes', async () => {
    const { token } = await add(['credentials:write', 'uploads:read']);
    const [someone] = await admin.all('/api/v3/credentials');
    const asked = { username: 'escalation', role: 'admin' };
    expect(await use(token, '/api/v3/credentials', { body: asked })).toMatchObject({
      status: 403,
      body: {
        message: expect.stringMatching(
          /^you may grant only scopes that you have yourself: you do not have signals:write, /,
        ),
      },
    });
    expect(await statusOf(token, `/api/v3/credentials/${someone.id}/rotate`, { body: {} })).toBe(403);
  });

  it('end when they expire', async () => {
    const expiresAt = new Date(now + HOUR_MS).toISOString();
    const made = await add(['uploads:read'], { expiresAt });
    expect(made.expiresAt).toBe(expiresAt);
    expect(await statusOf(made.token)).toBe(200);
    now += HOUR_MS;
    admin = await gateway.client('admin');
    expect(await use(made.token)).toMatchObject({
      status: 401,
      body: { message: 'the API token has expired: rotate it, or use another one' },
    });
    expect(await asAdmin('POST', `${PATH}/${made.id}/rotate`)).toMatchObject({
      status: 400,
      body: {
        message: 'the API token has expired: give it another end (expiresAt), which must be in the future',
      },
    });
    const later = new Date(now + DAY_MS).toISOString();
    const { body } = await asAdmin('POST', `${PATH}/${made.id}/rotate`, { expiresAt: later });
    expect(body).toMatchObject({ expiresAt: later, previousUntil: null });
    expect([await statusOf(made.token), await statusOf(body.token)]).toEqual([401, 200]);
  });

  it('are rotated with an overlap, in which both secrets are valid', async () => {
    const first = await add();
    const { body: second } = await asAdmin('POST', `${PATH}/${first.id}/rotate`, { overlapSeconds: 60 });
    expect(second).toMatchObject({ id: first.id, previousUntil: new Date(now + 60_000).toISOString() });
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([200, 200]);
    now += 60_000;
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([401, 200]);
    expect((await admin.get(`${PATH}/${first.id}`)).previousUntil).toBeNull();
  });

  it('are rotated without an overlap if that is asked for, and a second rotation ends the first secret', async () => {
    const first = await add();
    const { body: second } = await asAdmin('POST', `${PATH}/${first.id}/rotate`);
    const { body: third } = await asAdmin('POST', `${PATH}/${first.id}/rotate`);
    expect(await Promise.all([first, second, third].map(({ token }) => statusOf(token)))).toEqual([
      401, 200, 200,
    ]);
    const { body: fourth } = await asAdmin('POST', `${PATH}/${first.id}/rotate`, { overlapSeconds: 0 });
    expect(fourth.previousUntil).toBeNull();
    expect(await Promise.all([second, third, fourth].map(({ token }) => statusOf(token)))).toEqual([
      401, 401, 200,
    ]);
  });

  it('rotate themselves, and get the new secret also without an overlap', async () => {
    const { token, id } = await add(['credentials:write']);
    const { status, body } = await use(token, `${PATH}/${id}/rotate`, { body: { overlapSeconds: 0 } });
    expect([status, body.token]).toEqual([200, expect.stringMatching(/^posture_/)]);
  });

  it('are limited to networks, by the address that the trusted proxy states', async () => {
    const { token, name } = await add(['uploads:read'], { networks: ['10.0.0.0/8', '2001:db8::/32'] });
    const from = (address: string) =>
      use(token, '/api/v3/uploads', { headers: { 'x-forwarded-for': address } });
    expect(await from('10.1.2.3')).toMatchObject({ status: 200 });
    expect(await from('2001:db8::7')).toMatchObject({ status: 200 });
    expect(await from('203.0.113.7')).toMatchObject({
      status: 403,
      body: { message: `the API token ${name} is not allowed from the address 203.0.113.7` },
    });
    const events = () => admin.all('/api/v3/security-events?reason=network');
    await until('the event', async () => (await events()).length === 1);
    expect(await events()).toMatchObject([{ user: `token:${name}`, address: '203.0.113.7', kind: 'token' }]);
  });

  it('state their last use', async () => {
    const { token, id } = await add();
    now += 1_000;
    expect(await statusOf(token)).toBe(200);
    await until(
      'the last use',
      async () => (await admin.get(`${PATH}/${id}`)).lastUsedAt === new Date(now).toISOString(),
    );
  });

  it('are at most 1,000', async () => {
    await gateway.database.pool.query(
      `insert into api_tokens (id, name, scopes, networks, created_at)
       select gen_random_uuid(), 'many-' || n, '{uploads:read}', '{}', now() from generate_series(1, 1000) n`,
    );
    expect(await asAdmin('POST', PATH, { name: 'too-many', scopes: ['uploads:read'] })).toMatchObject({
      status: 409,
      body: { message: 'the limit of 1000 API tokens is reached: revoke a token first' },
    });
    await gateway.database.pool.query(`delete from api_tokens where name like 'many-%'`);
  });
});

describe('a revoked API token', () => {
  it('ends, with its acts in the audit trail', async () => {
    const made = await add();
    await asAdmin('POST', `${PATH}/${made.id}/rotate`);
    expect(await asAdmin('DELETE', `${PATH}/${made.id}`)).toMatchObject({
      status: 200,
      body: { id: made.id },
    });
    expect(await use(made.token)).toMatchObject({
      status: 401,
      body: { message: 'the API token does not exist: it may have been revoked or rotated' },
    });
    expect((await asAdmin('DELETE', `${PATH}/${made.id}`)).status).toBe(404);
    const acts = () => admin.all(`/api/v3/audit?target=${made.id}`);
    await until('the fold', async () => (await acts()).length === 3);
    expect((await acts()).map(({ action }) => action)).toEqual([
      'credential.tokenRevoked',
      'credential.tokenRotated',
      'credential.tokenCreated',
    ]);
    expect(JSON.stringify(await acts())).not.toContain(made.token);
  });

  it('is known at another gateway at once, and ends there within seconds', async () => {
    const made = await add();
    expect(await statusOf(made.token, '/api/v3/uploads', { at: other })).toBe(200);
    await asAdmin('DELETE', `${PATH}/${made.id}`);
    await until(
      'the end',
      async () => (await statusOf(made.token, '/api/v3/uploads', { at: other })) === 401,
      ENDS_MS_MAX,
    );
  });

  it.each([
    ['revoked', 'revoked', (id: string) => asAdmin('DELETE', `${PATH}/${id}`)],
    [
      'rotated without an overlap',
      'revoked',
      (id: string) => asAdmin('POST', `${PATH}/${id}/rotate`, { overlapSeconds: 0 }),
    ],
    [
      'left to expire',
      'expired',
      async () => {
        now += DAY_MS;
        admin = await gateway.client('admin');
      },
    ],
  ])('%s: its change stream at another gateway ends', async (_, reason, end) => {
    const expiresAt = new Date(now + DAY_MS).toISOString();
    const { id, token } = await add(['changes:read'], { expiresAt });
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: `Bearer ${token}`,
    });
    const last = stream.next();
    await end(id);
    expect(await last).toMatchObject({
      event: 'end',
      data: { reason, message: expect.stringMatching(/^the API token /) },
    });
    expect(await stream.next()).toBeNull();
  });
});

describe('a change', () => {
  const change = (id: string, given: object) => asAdmin('PATCH', `${PATH}/${id}`, given);

  it('replaces the given fields at every gateway, keeps the others and the secret, and is an act', async () => {
    const { id, token, name } = await add(['uploads:read', 'assets:read'], { networks: ['127.0.0.1'] });
    expect(await statusOf(token, '/api/v3/assets', { at: other })).toBe(200);
    const expiresAt = new Date(now + DAY_MS).toISOString();
    const changed = { name: `${name}-new`, scopes: ['uploads:read'], expiresAt, departments: ['Sales'] };
    const { status, body } = await change(id, changed);
    expect([status, body]).toEqual([
      200,
      { ...(await admin.get(`${PATH}/${id}`)), ...changed, networks: ['127.0.0.1'], locations: null },
    ]);
    await until(
      'the scope ends at the other gateway',
      async () => (await statusOf(token, '/api/v3/assets', { at: other })) === 403,
    );
    expect(await statusOf(token, '/api/v3/assets')).toBe(403);
    expect((await change(id, { expiresAt: null, departments: null })).body).toMatchObject({
      expiresAt: null,
      departments: null,
      scopes: ['uploads:read'],
    });
    const acts = () => admin.all(`/api/v3/audit?target=${id}&action=credential.tokenChanged`);
    await until('the fold', async () => (await acts()).length === 2);
    expect(JSON.stringify((await acts())[1])).toContain(
      `uploads:read (limited to the departments Sales); networks 127.0.0.1; until ${expiresAt}`,
    );
  });

  it('of two tokens to one name at the same time gives it to one of them', async () => {
    const tokens = [await add(), await add()];
    const answers = await Promise.all(tokens.map(({ id }) => change(id, { name: 'contended' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each<[string, object, object]>([
    ['its scopes', {}, { scopes: ['uploads:read'] }],
    ['its networks', {}, { networks: ['203.0.113.7'] }],
    ['its departments to one of all', {}, { departments: ['Sales'] }],
    ['its departments to fewer', { departments: ['Sales', 'IT'] }, { departments: ['IT'] }],
    ['its departments to more', { departments: ['Sales'] }, { departments: ['Sales', 'IT'] }],
    ['its departments to all', { departments: ['Sales'] }, { departments: null }],
  ])('of %s ends its change stream at another gateway', async (_, before, given) => {
    const { id, token } = await add(['changes:read', 'uploads:read'], before);
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: `Bearer ${token}`,
    });
    const last = stream.next();
    const begun = performance.now();
    expect((await change(id, given)).status).toBe(200);
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'changed' } });
    expect(await stream.next()).toBeNull();
    expect(performance.now() - begun).toBeLessThan(ENDS_MS_MAX);
  });

  it('of the expiry moves the end of a change stream', async () => {
    const { id, token } = await add(['changes:read'], { expiresAt: new Date(now + HOUR_MS).toISOString() });
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: `Bearer ${token}`,
    });
    const last = stream.next();
    expect((await change(id, { expiresAt: new Date(now + 1_000).toISOString() })).status).toBe(200);
    now += 2_000;
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'expired' } });
  });

  it('gives no more than the caller has, and reaches no token that has more', async () => {
    const own = await add(['credentials:write', 'credentials:read', 'uploads:read'], {
      departments: ['Sales'],
    });
    const limited = (id: string, given: object) =>
      fetch(`${gateway.url}${PATH}/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(given),
      }).then(({ status }) => status);
    const within = await add(['uploads:read'], { departments: ['Sales'] });
    for (const given of [
      { scopes: ['settings:write'] },
      { departments: ['Sales', 'IT'] },
      { departments: null },
    ]) {
      expect([given, await limited(within.id, given)]).toEqual([given, 403]);
    }
    expect(await limited(within.id, { locations: ['Berlin'] })).toBe(200);
    const wider = await add(['uploads:read']);
    expect(await limited(wider.id, { name: 'taken-over' })).toBe(404);
    const more = await add(['settings:write'], { departments: ['Sales'] });
    expect(await limited(more.id, { scopes: ['uploads:read'] })).toBe(403);
  });

  it.each([
    [{}, /^the body must contain name, scopes, networks, expiresAt, departments or locations/],
    [{ name: null }, /name/],
    [{ scopes: [] }, /^scopes /],
    [{ networks: null }, /^networks /],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, /^expiresAt must be in the future/],
    [{ departments: [] }, /^departments /],
    [{ departments: [7] }, /departments/],
    [{ token: 'posture_x' }, /token/],
  ])('with %j is a 400', async (given, message) => {
    const { id } = await add();
    expect(await change(id, given)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    });
  });

  it('to a name in use is a 409', async () => {
    const [one, two] = [await add(), await add()];
    expect(await change(one.id, { name: two.name })).toMatchObject({ status: 409 });
    expect(await change(one.id, { name: one.name })).toMatchObject({ status: 200 });
  });
});

describe('a change with the version that its user read', () => {
  it('returns no scope that another user has taken since (409)', async () => {
    const { id, version } = await add(['uploads:read', 'findings:accept']);
    const first = await asAdmin('PATCH', `${PATH}/${id}`, { scopes: ['uploads:read'], version });
    expect(first).toMatchObject({ status: 200, body: { version: version + 1 } });
    const scopes = ['uploads:read', 'findings:accept', 'assets:read'];
    const message = 'the API token has changed since `version`: read it again and repeat the request';
    expect(await asAdmin('PATCH', `${PATH}/${id}`, { scopes, version })).toMatchObject({
      status: 409,
      body: { reason: 'stale', message },
    });
    expect(await admin.get(`${PATH}/${id}`)).toMatchObject({
      scopes: ['uploads:read'],
      version: version + 1,
    });
  });

  it('without another field is a 400', async () => {
    const { id, version } = await add();
    expect((await asAdmin('PATCH', `${PATH}/${id}`, { version })).status).toBe(400);
  });
});

describe('a change and a rotation at the same time', () => {
  it.each(['rotate', 'change'])('a %s that has read the token before is a 409', async (what) => {
    const { id, token } = await add();
    const earlier = new Date(now + HOUR_MS).toISOString();
    const holder = await gateway.database.pool.connect();
    let answer: Promise<Answer>;
    try {
      await holder.query('begin');
      await holder.query('update api_tokens set expires_at = $2, generation = generation + 1 where id = $1', [
        id,
        earlier,
      ]);
      const asked = { rotate: ['POST', `${PATH}/${id}/rotate`], change: ['PATCH', `${PATH}/${id}`] } as const;
      const [method, path] = asked[what as keyof typeof asked];
      answer = asAdmin(method, path, what === 'rotate' ? {} : { networks: [] });
      await untilLockWait('the request waits', gateway.database);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    expect(await answer).toMatchObject({
      status: 409,
      body: { message: 'another user has changed the API token: read it again and repeat the request' },
    });
    expect(await admin.get(`${PATH}/${id}`)).toMatchObject({ expiresAt: earlier, previousUntil: null });
    expect(await statusOf(token)).toBe(200);
  });
});

describe('bad input', () => {
  const NAME = { name: 'bad', scopes: ['uploads:read'] };

  it.each([
    [{ scopes: ['uploads:read'] }, /^name must be 1 to 100 letters/],
    [{ ...NAME, name: 'a b' }, /^name must be 1 to 100 letters/],
    [{ ...NAME, scopes: [] }, /^scopes /],
    [{ ...NAME, scopes: ['everything'] }, /^scopes must be one or more of signals:write, /],
    [{ ...NAME, scopes: ['uploads:read', 'uploads:read'] }, /^.*scopes/],
    [{ ...NAME, networks: ['10.0.0.0/33'] }, /^networks must be a list of addresses or networks/],
    [{ ...NAME, networks: ['10'] }, /^networks must be a list of addresses or networks/],
    [{ ...NAME, networks: Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`) }, /^networks /],
    [{ ...NAME, networks: null }, /^networks /],
    [{ ...NAME, expiresAt: '2020-01-01T00:00:00Z' }, /^expiresAt must be in the future/],
    [{ ...NAME, expiresAt: '2096-01-01T00:00:00Z' }, /^expiresAt must be in the future, at most ten years/],
    [{ ...NAME, expiresAt: 'tomorrow' }, /^expiresAt must be an ISO 8601 time/],
    [{ ...NAME, role: 'admin' }, /role/],
  ])('%j is a 400 that names the field', async (body, message) => {
    expect(await asAdmin('POST', PATH, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    });
  });

  it.each([
    [{ overlapSeconds: -1 }, /^overlapSeconds /],
    [{ overlapSeconds: 604_801 }, /^overlapSeconds /],
    [{ overlapSeconds: '60' }, /^overlapSeconds /],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, /^expiresAt must be in the future/],
  ])('a rotation with %j is a 400', async (body, message) => {
    const { id } = await add();
    expect(await asAdmin('POST', `${PATH}/${id}/rotate`, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    });
  });

  it('a name in use is a 409', async () => {
    const { name } = await add();
    expect(await asAdmin('POST', PATH, { name, scopes: ['uploads:read'] })).toMatchObject({ status: 409 });
  });

  it('an unknown id is a 404, another text a 400', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['PATCH', ''],
    ] as const) {
      expect((await asAdmin(method, `${PATH}/${NOBODY}${path}`)).status).toBe(404);
      expect((await asAdmin(method, `${PATH}/x${path}`)).status).toBe(400);
    }
  });

  it('an unknown token is a 401 and a security event', async () => {
    expect(await statusOf(`posture_${'x'.repeat(43)}`)).toBe(401);
    expect(await statusOf('posture_short')).toBe(401);
    const events = () => admin.all('/api/v3/security-events?kind=token&reason=invalid');
    await until('the events', async () => (await events()).length >= 2);
  });

  it('analysts and viewers see no tokens', async () => {
    for (const role of ['analyst', 'viewer'] as const) {
      expect((await (await gateway.client(role)).request('GET', PATH)).status).toBe(403);
    }
  });
});
