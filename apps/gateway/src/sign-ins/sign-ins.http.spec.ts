import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OidcServer, providersOf } from '../../../../test/fixtures/sign-ins/oidc-server.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
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
  other = await StartedGateway.start({ env, beside: gateway });
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
      grants: given.grants,
      departments: null,
      locations: null,
      checkSeconds: expect.any(Number),
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
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'revoked' } });
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
