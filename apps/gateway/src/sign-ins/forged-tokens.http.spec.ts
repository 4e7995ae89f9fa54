import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ForgingProvider } from '../../../../test/fixtures/sign-ins/forging-provider.ts';
import { CLIENT_ID, CLIENT_SECRET, providersOf } from '../../../../test/fixtures/sign-ins/oidc-server.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const PUBLIC_URL = 'https://posture.example.com';
const HOUR_SECONDS = 3_600;
const MESSAGE =
  'the identity provider sent a sign-in that is not valid: start again, and tell an admin if it happens again';

let provider: ForgingProvider;
let gateway: StartedGateway;
beforeAll(async () => {
  provider = await ForgingProvider.start();
  const env = { PUBLIC_URL, OIDC_PROVIDERS: providersOf(provider.issuer) };
  gateway = await StartedGateway.start({ env, folds: true });
});
afterAll(async () => {
  await gateway?.stop();
  await provider?.stop();
});

type Claims = Record<string, unknown>;
type Forgery = (claims: Claims) => Promise<string> | string;

/** Signs in with an ID token that is made of good claims. */
async function signIn(forge: Forgery, at = gateway): Promise<{ status: number; body: unknown }> {
  const started = await fetch(`${at.url}/api/v3/sign-in/corp`, { method: 'POST' });
  const { url, proof } = (await started.json()) as { url: string; proof: string };
  const { searchParams } = new URL(url);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: provider.issuer,
    sub: 'alice',
    aud: CLIENT_ID,
    iat: now,
    exp: now + 600,
    nonce: searchParams.get('nonce'),
    groups: ['risk-analysts'],
  };
  provider.idToken = await forge(claims);
  const response = await fetch(`${at.url}/api/v3/sign-in/corp/finish`, {
    method: 'POST',
    body: JSON.stringify({ proof, state: searchParams.get('state'), code: 'a-code' }),
  });
  return { status: response.status, body: await response.json() };
}

async function newestReason(): Promise<string> {
  const admin = await gateway.client('admin');
  const { items } = await admin.get('/api/v3/security-events?kind=signIn&outcome=refused&limit=1');
  return items[0]?.reason;
}

const now = () => Math.floor(Date.now() / 1000);
const changed =
  (given: Claims): Forgery =>
  (claims) =>
    provider.sign({ ...claims, ...given });

describe('an ID token (R-AUTH-21)', () => {
  it.each<[string, Forgery]>([
    ['with all claims', (claims) => provider.sign(claims)],
    ['that expired within the tolerance of clocks', (claims) => provider.sign({ ...claims, exp: now() - 5 })],
    ['of a clock that is a little ahead', (claims) => provider.sign({ ...claims, iat: now() + 10 })],
  ])('%s is accepted', async (_, forge) => {
    expect(await signIn(forge)).toMatchObject({ status: 200, body: { user: 'corp:alice' } });
  });

  it.each<[string, Forgery, string]>([
    ['of a foreign key', (claims) => provider.signWithForeignKey(claims), 'tokenSignature'],
    ['without a signature', (claims) => provider.unsigned(claims), 'tokenSignature'],
    [
      'with a signature by the client secret',
      (claims) => provider.signWithSecret(claims, CLIENT_SECRET),
      'tokenSignature',
    ],
    ['for another client', changed({ aud: 'another' }), 'tokenAudience'],
    ['also for another client', changed({ aud: [CLIENT_ID, 'another'], azp: CLIENT_ID }), 'tokenAudience'],
    [
      'authorized for another client',
      changed({ aud: [CLIENT_ID, 'another'], azp: 'another' }),
      'tokenAudience',
    ],
    ['of another issuer', changed({ iss: 'https://attacker.example.com' }), 'tokenIssuer'],
    ['with another nonce', changed({ nonce: 'x'.repeat(43) }), 'tokenNonce'],
    ['without a nonce', ({ nonce: _, ...claims }) => provider.sign(claims), 'tokenClaims'],
    ['that has expired', changed({ exp: now() - HOUR_SECONDS }), 'tokenExpired'],
    ['without an expiry', ({ exp: _, ...claims }) => provider.sign(claims), 'tokenClaims'],
    ['that is not valid yet', changed({ nbf: now() + HOUR_SECONDS }), 'tokenExpired'],
    ['without a subject', ({ sub: _, ...claims }) => provider.sign(claims), 'tokenClaims'],
    ['that is none', () => 'not.a.token', 'tokenClaims'],
    ['that is empty', () => '', 'tokenClaims'],
  ])('%s is a 401, and the reason is a security event', async (_, forge, reason) => {
    await gateway.database.db.deleteFrom('security_events').execute();
    expect(await signIn(forge)).toEqual({
      status: 401,
      body: { statusCode: 401, error: 'Unauthorized', message: expect.any(String) },
    });
    await until('the event', async () => (await newestReason()) !== undefined);
    expect(await newestReason()).toBe(reason);
  });

  it('is refused with a sentence that reveals nothing of it', async () => {
    const { body } = await signIn(changed({ aud: 'another' }));
    expect(body).toMatchObject({ message: MESSAGE });
  });

  it.each([502, 503, 429])('of a provider that answers %i is a 503', async (status) => {
    provider.refusals.set('/token', { status });
    expect(await signIn((claims) => provider.sign(claims))).toMatchObject({ status: 503 });
    provider.refusals.clear();
  });

  it.each([503, 429])('whose keys are answered with %i is a 503', async (status) => {
    provider.refusals.set('/jwks', { status });
    const env = { PUBLIC_URL, OIDC_PROVIDERS: providersOf(provider.issuer) };
    const other = await StartedGateway.start({ env, beside: gateway });
    try {
      expect(await signIn((claims) => provider.sign(claims), other)).toMatchObject({ status: 503 });
    } finally {
      provider.refusals.clear();
      await other.stop();
    }
  });

  it('is a 401 if the provider refuses the client with a challenge', async () => {
    await gateway.database.db.deleteFrom('security_events').execute();
    provider.refusals.set('/token', {
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="x"' },
      body: { error: 'invalid_client' },
    });
    expect(await signIn((claims) => provider.sign(claims))).toMatchObject({ status: 401 });
    provider.refusals.clear();
    await until('the event', async () => (await newestReason()) !== undefined);
    expect(await newestReason()).toBe('providerRefused');
  });

  it('of an unavailable provider is a 503', async () => {
    const env = { PUBLIC_URL, OIDC_PROVIDERS: providersOf('http://127.0.0.1:9') };
    const other = await StartedGateway.start({ env, beside: gateway });
    const response = await fetch(`${other.url}/api/v3/sign-in/corp`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        message: 'the identity provider Corporate account is not available: retry later',
      }),
    ]);
    await other.stop();
  });
});

describe('a logout token (R-AUTH-24)', () => {
  const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const good = (): Claims => ({
    iss: provider.issuer,
    aud: CLIENT_ID,
    sub: 'alice',
    iat: now(),
    exp: now() + 120,
    jti: 'one',
    events: LOGOUT,
  });
  const logout = async (token: string, form: Record<string, string> = { logout_token: token }) => {
    const body = new URLSearchParams(form);
    const response = await fetch(`${gateway.url}/api/v3/sign-in/corp/logout`, { method: 'POST', body });
    return { status: response.status, body: await response.json() };
  };
  const findings = async (token: string) =>
    (await fetch(`${gateway.url}/api/v3/findings`, { headers: { authorization: `Bearer ${token}` } })).status;

  it.each<[string, Forgery, string]>([
    ['of a foreign key', (claims) => provider.signWithForeignKey(claims, 'logout+jwt'), 'tokenSignature'],
    ['without a signature', (claims) => provider.unsigned(claims, 'logout+jwt'), 'tokenSignature'],
    ['by the client secret', (claims) => provider.signWithSecret(claims, CLIENT_SECRET), 'tokenSignature'],
    ['for another client', changed({ aud: 'another' }), 'tokenAudience'],
    ['of another issuer', changed({ iss: 'https://attacker.example.com' }), 'tokenIssuer'],
    ['that has expired', changed({ exp: now() - HOUR_SECONDS }), 'tokenExpired'],
    ['with a nonce, as an ID token has one', changed({ nonce: 'x' }), 'tokenNonce'],
    ['without the event', changed({ events: {} }), 'tokenClaims'],
    ['that names nobody', ({ sub: _, ...claims }) => provider.sign(claims), 'tokenClaims'],
    ['that is none', () => 'x', 'tokenSignature'],
  ])('%s ends no session', async (_, forge, reason) => {
    const { body } = await signIn((claims) => provider.sign(claims));
    expect((await logout(await forge(good()))).status).toBe(400);
    expect(await findings((body as { token: string }).token)).toBe(200);
    const admin = await gateway.client('admin');
    await until('the event', async () => {
      const { items } = await admin.get('/api/v3/security-events?kind=logout&outcome=refused');
      return items.some((one: { reason: string }) => one.reason === reason);
    });
  });

  it('is required', async () => {
    expect((await logout('', {})).status).toBe(400);
  });

  it('of a user ends the sessions that began before it, and no later one', async () => {
    const { body } = await signIn((claims) => provider.sign(claims));
    const { token } = body as { token: string };
    expect(await logout(await provider.sign({ ...good(), iat: now() - 120 }))).toMatchObject({
      body: { ended: 0 },
    });
    expect(await findings(token)).toBe(200);
    expect(await logout(await provider.sign(good(), 'logout+jwt'))).toMatchObject({ status: 200 });
    expect(await findings(token)).toBe(401);
  });

  it('of a session ends only that session', async () => {
    const [first, second] = [
      await signIn((claims) => provider.sign({ ...claims, sid: 'first' })),
      await signIn((claims) => provider.sign({ ...claims, sid: 'second' })),
    ].map(({ body }) => (body as { token: string }).token);
    expect(await logout(await provider.sign({ ...good(), sid: 'first' }))).toMatchObject({
      body: { ended: 1 },
    });
    expect([await findings(first!), await findings(second!)]).toEqual([401, 200]);
  });
});
