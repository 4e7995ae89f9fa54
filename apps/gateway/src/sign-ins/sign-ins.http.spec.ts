import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ForgingProvider } from '../../../../test/fixtures/sign-ins/forging-provider.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  OidcServer,
  providersOf,
} from '../../../../test/fixtures/sign-ins/oidc-server.ts';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { untilLockWait } from '../../../../test/support/lock-wait.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const PUBLIC_URL = 'http://posture.example.com';

const LIMITED = {
  id: 'limited',
  label: 'Limited account',
  departments: { sales: ['Sales'], everything: ['*'] },
};

let server: OidcServer;
let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;

beforeAll(async () => {
  server = await OidcServer.start(PUBLIC_URL);
  const env = {
    PUBLIC_URL,
    OIDC_PROVIDERS: JSON.stringify([
      ...JSON.parse(providersOf(server.issuer)),
      ...JSON.parse(providersOf(server.issuer, LIMITED)),
    ]),
    POSTURE_SECRET_KEY: 'a secret key of two gateways'.replaceAll(' ', '-').padEnd(40, '-'),
  };
  gateway = await StartedGateway.start({ env, folds: true });
  other = await StartedGateway.start({ env, beside: gateway, settings: { egressAllow: ['127.0.0.1'] } });
});
afterAll(async () => {
  await other?.stop();
  await gateway?.stop();
  await server?.stop();
});
afterEach(() => {
  server.user = 'alice';
  server.groups.clear();
  server.groups.set('alice', ['risk-analysts']);
});

// biome-ignore lint/suspicious/noExplicitAny: a body as a script reads it
const bodyOf = (response: Response): Promise<any> => response.json();

async function post(path: string, body: object = {}, at = gateway) {
  const response = await fetch(`${at.url}/api/v3/sign-in${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await bodyOf(response) };
}

async function callback(cookies?: Map<string, string>, provider = 'corp') {
  const { body } = await post(`/${provider}`);
  const parameters = Object.fromEntries(await server.follow(body.url, cookies));
  return { proof: body.proof, ...parameters } as Record<string, string>;
}

async function signedIn(user = 'alice', cookies?: Map<string, string>, provider = 'corp') {
  server.user = user;
  const answer = await post(`/${provider}/finish`, await callback(cookies, provider));
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

async function get(path: string, token: string, at = gateway) {
  const response = await fetch(`${at.url}/api/v3${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: await bodyOf(response) };
}

/** Reasons of refused sign-ins and logouts, the newest first. */
async function reasons(kind = 'signIn'): Promise<string[]> {
  const admin = await gateway.client('admin');
  return (await admin.all(`/api/v3/security-events?kind=${kind}&outcome=refused`)).map(
    ({ reason }) => reason,
  );
}

describe('GET /api/v3/identity-providers', () => {
  it('shows what groups grant and what to register at the provider, without the secret', async () => {
    const admin = await gateway.client('admin');
    const { items } = await admin.get('/api/v3/identity-providers');
    const [given] = JSON.parse(providersOf(server.issuer));
    expect(items[0]).toEqual({
      id: 'corp',
      label: given.label,
      issuer: server.issuer,
      clientId: given.clientId,
      redirectUri: `${PUBLIC_URL}/app/sign-in/corp`,
      logoutUri: `${PUBLIC_URL}/api/v3/sign-in/corp/logout`,
      groupsFrom: 'claims',
      groupsClaim: 'groups',
      nameClaim: 'preferred_username',
      externalIdClaim: 'sub',
      scope: 'openid profile email',
      audiences: [],
      grants: given.grants,
      departments: null,
      locations: null,
      checkSeconds: expect.any(Number),
      isReadOnly: true,
      problem: null,
      version: 0,
    });
    expect(items[1]).toMatchObject({ id: 'limited', departments: LIMITED.departments, locations: null });
    expect(JSON.stringify(items)).not.toContain(given.clientSecret);
    const analyst = await gateway.client('analyst');
    expect((await analyst.request('GET', '/api/v3/identity-providers')).status).toBe(403);
  });
});

describe('signing in with OpenID Connect (R-AUTH-21)', () => {
  it('lists the providers without secrets', async () => {
    const response = await fetch(`${gateway.url}/api/v3/sign-in`);
    expect(await response.json()).toEqual({
      items: [
        { id: 'corp', label: 'Corporate account' },
        { id: 'limited', label: 'Limited account' },
      ],
    });
  });

  it('asks the provider with PKCE, state and nonce, and for nothing else than the redirect URI of the settings', async () => {
    const { body } = await post('/corp');
    const { searchParams } = new URL(body.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'posture',
      redirect_uri: `${PUBLIC_URL}/app/sign-in/corp`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    for (const name of ['state', 'nonce']) expect(body.proof).not.toContain(searchParams.get(name));
  });

  it('creates the user at the first sign-in, with the scopes of its groups, at every gateway', async () => {
    const session = await signedIn();
    expect(session).toMatchObject({
      token: expect.stringMatching(/^posture_session_[\w-]{43}$/),
      user: 'corp:alice',
      provider: 'corp',
      isOwn: true,
    });
    expect(session.scopes).toContain('findings:accept');
    for (const at of [gateway, other]) {
      expect((await get('/findings', session.token, at)).status).toBe(200);
      expect(await get('/me', session.token, at)).toMatchObject({
        body: { kind: 'user', name: 'corp:alice', scopes: session.scopes, departments: null },
      });
      expect(await get('/credentials', session.token, at)).toMatchObject({
        status: 403,
        body: {
          message: 'this operation requires the scope credentials:read: the user corp:alice does not have it',
        },
      });
    }
    const again = await signedIn();
    const users = await gateway.database.db.selectFrom('users').selectAll().execute();
    expect(users).toMatchObject([
      { provider: 'corp', subject: 'alice', name: 'corp:alice', grants: ['analyst'] },
    ]);
    expect(again.id).not.toBe(session.id);
  });

  it('gives scopes without a role', async () => {
    server.groups.set('audrey', ['risk-auditors', 'unknown']);
    const session = await signedIn('audrey');
    expect(session.scopes.sort()).toEqual(['assets:read', 'audit:read']);
  });

  it('can be finished by another gateway', async () => {
    const given = await callback();
    expect((await post('/corp/finish', given, other)).status).toBe(200);
  });

  it('stores neither token nor refresh token in readable form', async () => {
    const session = await signedIn();
    const rows = JSON.stringify(await gateway.database.db.selectFrom('sessions').selectAll().execute());
    expect(rows).not.toContain(session.token);
    expect(rows).toMatch(/"refresh_token":"v1\./);
    expect(gateway.lines.join()).not.toContain(session.token);
  });

  it('accepts a key that the provider has just introduced', async () => {
    await signedIn();
    await server.rotateKeys();
    await until('the new key', async () => (await post('/corp/finish', await callback())).status === 200);
  });

  it('refuses a user without a role', async () => {
    server.groups.set('eve', ['cooks']);
    server.user = 'eve';
    expect(await post('/corp/finish', await callback())).toEqual({
      status: 403,
      body: expect.objectContaining({
        message: expect.stringMatching(/^your groups give you no access to this service: ask an admin/),
      }),
    });
    await until('the event', async () => (await reasons())[0] === 'noRole');
    expect(
      await gateway.database.db.selectFrom('users').where('subject', '=', 'eve').selectAll().execute(),
    ).toEqual([]);
  });
});

describe('a sign-in that a limit of the site refuses', () => {
  it.each([
    [
      'usersFull',
      403,
      'the limit of 10000 users is reached: ask an admin to delete users who have left',
      `insert into users (id, provider, subject, name, grants, created_at)
       select gen_random_uuid(), 'filler', n::text, 'filler:' || n, '{}', now() from generate_series(1, 10000) n`,
      `delete from users where provider = 'filler'`,
    ],
    [
      'sessionsFull',
      503,
      'the limit of 10000 sessions is reached: retry later',
      `insert into sessions (id, secret_hash, credential_id, generation, created_at, expires_at, ends_at, address, user_agent)
       select gen_random_uuid(), decode(md5(n::text), 'hex'), c.id, c.generation, now(), now() + interval '1 hour',
              now() + interval '1 hour', '127.0.0.1', 'filler'
         from generate_series(1, 10000) n, credentials c where c.username = 'viewer'`,
      `delete from sessions where user_agent = 'filler'`,
    ],
  ])('is an event with the reason %s', async (reason, status, message, fill, empty) => {
    const { pool } = gateway.database;
    server.user = `first-${reason}`;
    server.groups.set(server.user, ['risk-analysts']);
    await pool.query(fill);
    try {
      expect(await post('/corp/finish', await callback())).toMatchObject({ status, body: { message } });
    } finally {
      await pool.query(empty);
    }
    const admin = await gateway.client('admin');
    const events = () => admin.all(`/api/v3/security-events?kind=signIn&reason=${reason}`);
    await until('the event', async () => (await events()).length > 0);
    expect(await events()).toEqual([
      expect.objectContaining({ outcome: 'refused', reason, user: `corp:first-${reason}` }),
    ]);
  });
});

describe('a sign-in that is not valid (R-AUTH-21)', () => {
  const STATE = 'this sign-in was not started in this browser tab, or more than ten minutes ago: start again';
  const REFUSED = 'the identity provider did not sign you in: start again';

  it.each([
    ['another state', { state: 'x'.repeat(43) }, STATE, 'signInState'],
    ['no proof of the tab', { proof: '' }, STATE, 'signInState'],
    ['a forged proof', { proof: 'eyJhbGciOiJub25lIn0..x.y.z' }, STATE, 'signInState'],
    ['another code', { code: 'x'.repeat(43) }, REFUSED, 'providerRefused'],
    ['another issuer', { iss: 'https://attacker.example.com' }, expect.any(String), 'tokenIssuer'],
    ['no code', { code: undefined }, REFUSED, 'providerRefused'],
    ['an error of the provider', { code: undefined, error: 'access_denied' }, REFUSED, 'providerRefused'],
  ])('%s is a 401', async (_, changed, message, reason) => {
    const answer = await post('/corp/finish', { ...(await callback()), ...changed });
    expect(answer).toEqual({ status: 401, body: { statusCode: 401, error: 'Unauthorized', message } });
    await until('the event', async () => (await reasons()).includes(reason));
  });

  it('the proof of another sign-in is a 401', async () => {
    const [first, second] = [await callback(), await callback()];
    expect(await post('/corp/finish', { ...first, proof: second.proof })).toMatchObject({ status: 401 });
  });

  it('a used code is a 401', async () => {
    const given = await callback();
    expect((await post('/corp/finish', given)).status).toBe(200);
    expect(await post('/corp/finish', given)).toMatchObject({ status: 401, body: { message: REFUSED } });
  });

  it.each([
    ['/unknown', {}, 404],
    ['/unknown/finish', { proof: 'x', state: 'x' }, 404],
    ['/corp/finish', {}, 400],
    ['/corp/finish', { proof: 'x', state: 'x', returnTo: 'https://attacker.example.com' }, 400],
    ['/corp/finish', { proof: 1, state: 'x' }, 400],
    ['/corp?next=https://attacker.example.com', {}, 400],
  ])('POST %s with %j is a %i', async (path, body, status) => {
    expect((await post(path, body)).status).toBe(status);
  });
});

describe('a session of a provider is checked there (R-AUTH-23)', () => {
  it('the removal of all groups ends it, in every process and for answers in progress', async () => {
    const session = await signedIn();
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: `Bearer ${session.token}`,
    });
    const last = stream.next();
    server.groups.set('alice', []);
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'revoked' } });
    await until('the end', async () => (await get('/findings', session.token)).status === 401);
  });

  it('another group changes the scopes', async () => {
    const session = await signedIn();
    server.groups.set('alice', ['risk-auditors']);
    await until('the end of the scope', async () => (await get('/findings', session.token)).status === 403);
    expect((await get('/assets', session.token)).status).toBe(200);
  });

  it('another department ends answers in progress, and changes the rows', async () => {
    server.groups.set('dana', ['risk-analysts', 'sales', 'everything']);
    const session = await signedIn('dana', new Map(), 'limited');
    expect(session).toMatchObject({ user: 'limited:dana', departments: null });
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: `Bearer ${session.token}`,
    });
    const last = stream.next();
    server.groups.set('dana', ['risk-analysts', 'sales']);
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'changed' } });
    await until('the limits', async () => (await get('/session', session.token)).body.departments !== null);
    expect(await get('/session', session.token)).toMatchObject({
      body: { departments: ['Sales'], locations: null },
    });
    expect(await get('/scores/organization', session.token)).toMatchObject({ status: 403 });
    expect(await get('/findings', session.token)).toMatchObject({ status: 200 });
    server.groups.set('dana', ['risk-analysts']);
    await until('the end', async () => (await get('/findings', session.token)).status === 401);
  });

  it('the removal of the user ends it', async () => {
    server.groups.set('leaver', ['risk-analysts']);
    const session = await signedIn('leaver');
    server.groups.delete('leaver');
    await until('the end', async () => (await get('/findings', session.token)).status === 401);
  });

  it('a check without a change leaves it as it is', async () => {
    const session = await signedIn();
    const checkedAt = async () => {
      const { rows } = await gateway.database.pool.query('select checked_at from sessions where id = $1', [
        session.id,
      ]);
      return rows[0].checked_at;
    };
    const first = await checkedAt();
    await until('two checks', async () => (await checkedAt()) > first + 8_000);
    expect((await get('/findings', session.token)).status).toBe(200);
  });
});

describe('back-channel logout (R-AUTH-24)', () => {
  it('ends the session at every gateway when the user signs out at the provider', async () => {
    const cookies = new Map<string, string>();
    const session = await signedIn('alice', cookies);
    server.logoutUrl = `${gateway.url}/api/v3/sign-in/corp/logout`;
    await server.endSession(cookies);
    await until('the end', async () => (await get('/findings', session.token, other)).status === 401);
    const admin = await gateway.client('admin');
    await until('the event', async () => {
      const { items } = await admin.get('/api/v3/security-events?kind=logout&outcome=success');
      return items.some(({ user }: { user: string }) => user === 'corp:alice');
    });
  });

  it('leads to the page of the provider, which ends the sessions of all browsers tabs and returns to the console', async () => {
    const cookies = new Map<string, string>();
    const [first, second] = [await signedIn('alice', cookies), await signedIn('alice', cookies)];
    const response = await fetch(`${gateway.url}/api/v3/sign-in/corp/logout`);
    const { url } = await bodyOf(response);
    server.logoutUrl = `${gateway.url}/api/v3/sign-in/corp/logout`;
    expect(await server.endSession(cookies, url)).toBe(`${PUBLIC_URL}/app/`);
    for (const { token } of [first, second]) {
      await until('the end', async () => (await get('/findings', token, other)).status === 401);
    }
  });
});

describe('identity providers that admins add (R-AUTH-33)', () => {
  const PATH = '/api/v3/identity-providers';
  const PARTNER = {
    id: 'partner',
    label: 'Partner account',
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    grants: { 'risk-analysts': ['analyst'] },
  };
  let admin: ApiClient;
  const send = (method: string, path: string, body?: object) =>
    admin.request(method, `${PATH}${path}`, body && JSON.stringify(body));
  const add = (given: object) => send('POST', '', { ...PARTNER, issuer: server.issuer, ...given });
  const listed = async () =>
    (await admin.get(PATH)).items.find(({ id }: { id: string }) => id === PARTNER.id);
  const offered = async (at: StartedGateway) =>
    (await bodyOf(await fetch(`${at.url}/api/v3/sign-in`))).items.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    admin = await gateway.client('admin');
    await admin.request('PATCH', '/api/v3/settings', JSON.stringify({ egressAllow: ['127.0.0.1'] }));
    await until('the setting', async () => (await add({})).status === 200);
    await send('DELETE', '/partner');
  });
  afterEach(async () => {
    await send('DELETE', '/partner');
  });

  it('sign people in at every gateway, and show no secret', async () => {
    const added = await add({ checkSeconds: 5 });
    expect(added).toMatchObject({
      status: 200,
      body: {
        id: 'partner',
        redirectUri: `${PUBLIC_URL}/app/sign-in/partner`,
        logoutUri: `${PUBLIC_URL}/api/v3/sign-in/partner/logout`,
        departments: null,
        checkSeconds: 5,
        isReadOnly: false,
        problem: null,
      },
    });
    expect(await listed()).toEqual(added.body);
    expect(JSON.stringify(added.body)).not.toContain(CLIENT_SECRET);
    const { rows } = await gateway.database.pool.query(
      'select client_secret, settings from identity_providers',
    );
    expect(rows[0].client_secret).toMatch(/^v1\./);
    expect(JSON.stringify(rows)).not.toContain(CLIENT_SECRET);
    await until('the other gateway', async () => (await offered(other)).includes('partner'));
    const finished = await post('/partner/finish', await callback(new Map(), 'partner'), other);
    expect(finished).toMatchObject({ status: 200, body: { user: 'partner:alice', provider: 'partner' } });
    expect((await get('/findings', finished.body.token)).status).toBe(200);
  });

  it('are removed with their sessions and answers in progress, at every gateway; their id stays that of the issuer', async () => {
    await add({});
    const session = await signedIn('alice', new Map(), 'partner');
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: `Bearer ${session.token}`,
    });
    const last = stream.next();
    const started = await callback(new Map(), 'partner');
    expect(await send('DELETE', '/partner')).toMatchObject({ status: 200, body: { id: 'partner' } });
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'revoked' } });
    for (const at of [gateway, other]) {
      await until('the end', async () => (await get('/findings', session.token, at)).status === 401);
      await until('the removal', async () => !(await offered(at)).includes('partner'));
    }
    expect((await post('/partner/finish', started)).status).toBe(404);
    expect((await send('DELETE', '/partner')).status).toBe(404);
    const foreign = await ForgingProvider.start();
    try {
      expect(await add({ issuer: foreign.issuer })).toMatchObject({
        status: 409,
        body: {
          message: `the id partner belongs to the users of the issuer ${server.issuer}: choose another id`,
        },
      });
    } finally {
      await foreign.stop();
    }
    expect((await add({})).status).toBe(200);
    expect(await signedIn('alice', new Map(), 'partner')).toMatchObject({ user: 'partner:alice' });
  });

  it('are changed: sessions of other rights end, and a sign-in that has begun gets the new ones', async () => {
    await add({});
    const session = await signedIn('alice', new Map(), 'partner');
    expect(await send('PATCH', '/partner', { label: 'Partners', checkSeconds: 60 })).toMatchObject({
      status: 200,
      body: { label: 'Partners', checkSeconds: 60, grants: PARTNER.grants },
    });
    expect((await get('/findings', session.token)).status).toBe(200);
    await until('the other gateway', async () => (await offered(other)).includes('partner'));
    const started = await callback(new Map(), 'partner');
    const grants = { 'risk-analysts': ['assets:read'] };
    const departments = { 'risk-analysts': ['Sales'] };
    expect(await send('PATCH', '/partner', { grants, departments })).toMatchObject({
      status: 200,
      body: { label: 'Partners', grants, departments },
    });
    await until('the end', async () => (await get('/findings', session.token, other)).status === 401);
    const finished = await post('/partner/finish', started);
    expect(finished).toMatchObject({
      status: 200,
      body: { scopes: ['assets:read'], departments: ['Sales'] },
    });
    expect((await send('PATCH', '/partner', { departments: null })).body.departments).toBeNull();
    await until('the end', async () => (await get('/assets', finished.body.token)).status === 401);
  });

  it('are changed: the rights of their users follow, also while they are away', async () => {
    await add({});
    await signedIn('alice', new Map(), 'partner');
    const rights = async () => {
      const { items } = await admin.get('/api/v3/users');
      const { grants, departments } = items.find(({ name }: { name: string }) => name === 'partner:alice');
      return [grants, departments];
    };
    const changed = async (given: object) => {
      expect((await send('PATCH', '/partner', given)).status).toBe(200);
      return rights();
    };
    expect(await changed({ departments: { 'risk-analysts': ['Sales'] } })).toEqual([['analyst'], ['Sales']]);
    expect(await changed({ departments: { others: ['Sales'] } })).toEqual([[], []]);
    expect(await changed({ departments: null })).toEqual([['analyst'], null]);
    expect(await changed({ grants: { others: ['analyst'] } })).toEqual([[], []]);
    expect(await changed({ grants: PARTNER.grants })).toEqual([['analyst'], null]);
    expect(await changed({ groupsClaim: 'roles' })).toEqual([[], []]);
    expect(await changed({ groupsClaim: 'groups' })).toEqual([[], []]);
    await signedIn('alice', new Map(), 'partner');
    expect(await rights()).toEqual([['analyst'], null]);
    await send('DELETE', '/partner');
    await add({ grants: { others: ['viewer'] } });
    expect(await rights()).toEqual([[], []]);
    expect(await changed({ grants: PARTNER.grants })).toEqual([['analyst'], null]);
    // As by a version before, which does not store the groups.
    await gateway.database.pool.query(
      `update users set grants = '{viewer}', departments = '{Sales}' where name = 'partner:alice'`,
    );
    expect(await changed({ audiences: ['another'] })).toEqual([[], []]);
  });

  it('are not changed with a version that another user has changed: no group gets back what it lost', async () => {
    const { version } = (await add({ grants: { contractors: ['admin'] } })).body;
    expect(await send('PATCH', '/partner', { grants: PARTNER.grants, version })).toMatchObject({
      status: 200,
      body: { version: version + 1 },
    });
    const grants = { contractors: ['admin'], interns: ['viewer'] };
    expect(await send('PATCH', '/partner', { grants, version })).toMatchObject({
      status: 409,
      body: {
        reason: 'stale',
        message: 'the identity provider has changed since `version`: read it again and repeat the request',
      },
    });
    expect(await listed()).toMatchObject({ grants: PARTNER.grants, version: version + 1 });
  });

  it('a sign-in that ends during a change gets no session, and its user none of the former rights', async () => {
    await add({});
    await gateway.database.pool.query(`update users set grants = '{}' where provider = 'partner'`);
    const started = await callback(new Map(), 'partner');
    const holder = await gateway.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query(`update identity_providers set generation = generation + 1 where id = 'partner'`);
      const finished = post('/partner/finish', started);
      await untilLockWait('the sign-in waits for the change', gateway.database);
      await holder.query('commit');
      expect(await finished).toMatchObject({
        status: 401,
        body: { message: 'the identity provider was changed during the sign-in: start again' },
      });
    } finally {
      holder.release();
    }
    const { rows } = await gateway.database.pool.query(
      `select 1 from sessions s join users u on u.id = s.user_id where u.provider = 'partner'`,
    );
    expect(rows).toEqual([]);
    const { rows: users } = await gateway.database.pool.query(
      `select 1 from users where provider = 'partner' and grants <> '{}'`,
    );
    expect(users).toEqual([]);
    await until('the event', async () => (await reasons()).includes('providerChanged'));
  });

  it('a check that ends during a change writes no former rights, and is repeated', async () => {
    await add({});
    const session = await signedIn('alice', new Map(), 'partner');
    const holder = await gateway.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query(
        `update identity_providers set generation = generation + 1,
           settings = jsonb_set(settings::jsonb, '{grants}', '{"risk-analysts": ["assets:read"]}')::json
          where id = 'partner'`,
      );
      await gateway.database.pool.query(`update users set grants = '{}' where provider = 'partner'`);
      await gateway.database.pool.query('update sessions set check_at = now() where id = $1', [session.id]);
      // A sign-in lets the gateway look at once.
      await signedIn();
      await untilLockWait('the check waits for the change', gateway.database);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    const grantsOf = async () =>
      (await gateway.database.pool.query(`select grants from users where provider = 'partner'`)).rows[0]
        .grants;
    await until('the next check', async () => (await grantsOf()).length > 0);
    expect(await grantsOf()).toEqual(['assets:read']);
    await until('the scope', async () => (await get('/assets', session.token)).status === 200);
  });

  it('are in the audit trail without the secret', async () => {
    await add({});
    await send('PATCH', '/partner', { label: 'Partners', clientSecret: 'another-secret' });
    await send('DELETE', '/partner');
    const acts = async () => (await admin.all('/api/v3/audit?target=partner')).slice(0, 3);
    const last = async () => (await acts()).slice(0, 2).map(({ action }) => action);
    const ended = ['Deleted', 'Changed'].map((act) => `credential.identityProvider${act}`);
    await until('the fold', async () => String(await last()) === String(ended));
    const found = await acts();
    expect(found.map(({ action, user }) => [action, user])).toEqual(
      ['Deleted', 'Changed', 'Created'].map((act) => [`credential.identityProvider${act}`, 'admin']),
    );
    expect(found[1].detail.after.role).toMatch(
      /^Partners: http.*, client posture; grants risk-analysts: analyst;/,
    );
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('get no id of users of a provider that was in the settings', async () => {
    await gateway.database.pool.query(
      `insert into users (id, provider, subject, name, grants, created_at)
       values (gen_random_uuid(), 'former', 'alice', 'former:alice', '{admin}', now())`,
    );
    expect(await add({ id: 'former' })).toMatchObject({
      status: 409,
      body: {
        message: expect.stringMatching(/^the id former belongs to the users of a provider that was in/),
      },
    });
  });

  it('have different labels, as the database compares them', async () => {
    // JavaScript makes another small letter of the last one.
    await add({ label: 'ΑΣ' });
    const taken = { status: 409, body: { message: 'the label ασ is already in use: choose another label' } };
    expect(await add({ id: 'other', label: 'ασ' })).toMatchObject(taken);
  });

  it('those of the settings are read-only', async () => {
    for (const [method, body] of [['PATCH', { label: 'Other' }], ['DELETE']] as const) {
      expect(await send(method, '/corp', body)).toMatchObject({
        status: 409,
        body: {
          message:
            'the identity provider corp belongs to the settings of the deployment (OIDC_PROVIDERS): change it there',
        },
      });
    }
  });

  it.each([
    ['an id of the settings', { id: 'corp' }, 409, /^the id corp is already in use/],
    [
      'a label of the settings',
      { label: 'corporate ACCOUNT' },
      409,
      /^the label corporate ACCOUNT is already in use/,
    ],
    ['no id', { id: undefined }, 400, /^id must be 1 to 30 small letters/],
    ['an id that is no text', { id: 5 }, 400, /^id must be/],
    ['the id token', { id: 'token' }, 400, /^id must be/],
    ['a label with a line break', { label: 'a\nb' }, 400, /^label must have 1 to 60/],
    ['no secret', { clientSecret: undefined }, 400, /^clientSecret must have/],
    ['no group', { grants: {} }, 400, /^grants must have 1 to 500 groups/],
    [
      'an unknown role',
      { grants: { a: ['boss'] } },
      400,
      /^grants: no role or scope has the name boss \(group a\)/,
    ],
    ['departments that are no lists', { departments: { a: 'Sales' } }, 400, /^departments must have/],
    ['an unknown field', { roles: [] }, 400, /^roles is unknown/],
    ['http outside this machine', { issuer: 'http://id.example.com' }, 400, /^issuer must be an https URL/],
    [
      'an issuer with a query',
      { issuer: 'https://id.example.com/?a=b' },
      400,
      /^issuer must be an https URL/,
    ],
    [
      'a private address',
      { issuer: 'https://10.1.2.3' },
      400,
      /^issuer: 10\.1\.2\.3 is not a public address/,
    ],
    [
      'nobody who answers',
      { issuer: 'http://127.0.0.1:9' },
      400,
      /^issuer: 127\.0\.0\.1:9 cannot be reached/,
    ],
  ])('%s is refused', async (_, given, status, message) => {
    expect(await add({ id: 'other', ...given })).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    });
  });

  it('an issuer that is another one, or none, is refused', async () => {
    expect(await add({ id: 'other', issuer: `${server.issuer}/other` })).toMatchObject({
      status: 400,
      body: {
        message: expect.stringMatching(/^issuer: http:.*\/other has no discovery document: .* status 404/),
      },
    });
    const alias = server.issuer.replace('127.0.0.1', 'localhost');
    await admin.request(
      'PATCH',
      '/api/v3/settings',
      JSON.stringify({ egressAllow: ['127.0.0.1', 'localhost', '::1'] }),
    );
    await until('the setting', async () =>
      /is that of/.test((await add({ id: 'other', issuer: alias })).body.message),
    );
    expect(await add({ id: 'other', issuer: alias })).toMatchObject({
      status: 400,
      body: { message: `issuer: the discovery document of ${alias} is that of the issuer ${server.issuer}` },
    });
  });

  it('nobody grants more than they have', async () => {
    const { body: made } = await admin.request(
      'POST',
      '/api/v3/tokens',
      JSON.stringify({ name: 'provisioning', scopes: ['users:read', 'users:write'] }),
    );
    const headers = { authorization: `Bearer ${made.token}` };
    const ask = async (method: string, path: string, body: object) =>
      fetch(`${gateway.url}${PATH}${path}`, { method, headers, body: JSON.stringify(body) });
    const refused = await ask('POST', '', { ...PARTNER, issuer: server.issuer, grants: { all: ['admin'] } });
    expect([refused.status, (await bodyOf(refused)).message]).toEqual([
      403,
      expect.stringMatching(/^you may grant only scopes that you have yourself/),
    ]);
    await add({});
    expect((await ask('PATCH', '/partner', { groupsClaim: 'sub' })).status).toBe(403);
    await admin.request('DELETE', `/api/v3/tokens/${made.id}`);
  });
});
