import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bareClock } from '#libs/clock';
import { ForgingProvider } from '../../../../test/fixtures/sign-ins/forging-provider.ts';
import { CLIENT_ID, CLIENT_SECRET, providersOf } from '../../../../test/fixtures/sign-ins/oidc-server.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const PUBLIC_URL = 'https://posture.example.com';
const CHECK_SECONDS = 7_200;
/** More than several rounds check of one provider. */
const HANGING = 200;

let corp: ForgingProvider;
let partner: ForgingProvider;
let env: Record<string, string>;
let gateway: StartedGateway;
beforeAll(async () => {
  [corp, partner] = await Promise.all([ForgingProvider.start(), ForgingProvider.start()]);
  env = {
    PUBLIC_URL,
    OIDC_PROVIDERS: providersWith(CHECK_SECONDS),
    POSTURE_SECRET_KEY: 'a-secret-key-of-two-gateways'.padEnd(40, '-'),
  };
  gateway = await StartedGateway.start({ env, folds: true });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([corp?.stop(), partner?.stop()]);
});
afterEach(async () => {
  await gateway.database.pool.query('delete from sessions where refresh_token is not null');
  corp.refusals.clear();
});

function providersWith(checkSeconds: number): string {
  const configured = (issuer: string, id: string) =>
    JSON.parse(providersOf(issuer, { id, label: id, checkSeconds }));
  return JSON.stringify([...configured(corp.issuer, 'corp'), ...configured(partner.issuer, 'partner')]);
}

interface Session {
  id: string;
  token: string;
}

async function signedIn(provider: ForgingProvider, id: string): Promise<Session> {
  provider.groups = ['risk-analysts'];
  const started = await fetch(`${gateway.url}/api/v3/sign-in/${id}`, { method: 'POST' });
  const { url, proof } = (await started.json()) as { url: string; proof: string };
  const { searchParams } = new URL(url);
  const now = Math.floor(Date.now() / 1000);
  const nonce = searchParams.get('nonce');
  const claims = { iss: provider.issuer, sub: 'alice', aud: CLIENT_ID, iat: now, exp: now + 600, nonce };
  provider.idToken = await provider.sign(claims);
  const response = await fetch(`${gateway.url}/api/v3/sign-in/${id}/finish`, {
    method: 'POST',
    body: JSON.stringify({ proof, state: searchParams.get('state'), code: 'a-code' }),
  });
  expect(response.status).toBe(200);
  // Groups come from the userinfo endpoint alone.
  provider.idToken = undefined;
  return (await response.json()) as Session;
}

/** All sessions were checked so long ago, and are due. A sign-in lets the gateway look at once. */
async function due(hoursAgo: number): Promise<void> {
  await gateway.database.pool.query(
    `update sessions set check_at = now(), checked_at = now() - make_interval(mins => $1)
      where refresh_token is not null`,
    [Math.round(hoursAgo * 60)],
  );
  await signedIn(partner, 'partner');
}

/** All sessions were checked so long ago, by a time between checks with which they are not due. */
const checkedHoursAgo = (hours: number) =>
  gateway.database.pool.query(
    'update sessions set checked_at = checked_at - make_interval(hours => $1) where refresh_token is not null',
    [hours],
  );

const statusOf = async ({ token }: Session) =>
  (await fetch(`${gateway.url}/api/v3/findings`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Of the check: what the provider was asked for after now. */
async function untilAsked(provider: ForgingProvider, path: string): Promise<void> {
  const before = provider.requests.length;
  await until(`a request of ${path}`, async () => provider.requests.slice(before).includes(path));
}

const untilIdle = () =>
  until('the end of the check', async () => {
    const { rows } = await gateway.database.pool.query(
      'select 1 from sessions where refresh_token is not null and check_at <= now()',
    );
    return rows.length === 0;
  });

describe('a check of a session (R-AUTH-23)', () => {
  it('that the provider refuses with a challenge ends it', async () => {
    const session = await signedIn(corp, 'corp');
    corp.refusals.set('/token', {
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="x"' },
      body: { error: 'invalid_client' },
    });
    await due(2);
    await until('the end', async () => (await statusOf(session)) === 401);
  });

  it('that is due after hours ends it if the provider has not answered for an hour since, and not before', async () => {
    const session = await signedIn(corp, 'corp');
    corp.refusals.set('/token', { status: 503 });
    const asked = untilAsked(corp, '/token');
    await due(2.5);
    await asked;
    await untilIdle();
    expect(await statusOf(session)).toBe(200);
    await due(3.5);
    await until('the end', async () => (await statusOf(session)) === 401);
  });

  it('keeps the next refresh token if the rest of the check fails', async () => {
    const session = await signedIn(corp, 'corp');
    corp.refusals.set('/userinfo', { status: 503 });
    const asked = untilAsked(corp, '/userinfo');
    await due(2);
    await asked;
    await untilIdle();
    corp.refusals.clear();
    const again = untilAsked(corp, '/userinfo');
    await due(2);
    await again;
    await untilIdle();
    expect(await statusOf(session)).toBe(200);
  });

  it('is soon due after an admin sets a shorter time between checks, and then waits for an answer as any', async () => {
    const admin = await gateway.client('admin');
    const ask = (method: string, path: string, body: object) =>
      admin.request(method, `/api/v3${path}`, JSON.stringify(body));
    await ask('PATCH', '/settings', { egressAllow: ['127.0.0.1'] });
    const stored = {
      ...{ id: 'stored', label: 'Stored', issuer: corp.issuer, checkSeconds: 86_400 },
      ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, grants: { 'risk-analysts': ['analyst'] } },
    };
    await until('the setting', async () => (await ask('POST', '/identity-providers', stored)).status === 200);
    const session = await signedIn(corp, 'stored');
    await checkedHoursAgo(12);
    corp.refusals.set('/token', { status: 503 });
    const asked = untilAsked(corp, '/token');
    await ask('PATCH', '/identity-providers/stored', { checkSeconds: 60 });
    await asked;
    await untilIdle();
    expect(await statusOf(session)).toBe(200);
  });

  it('is soon due after a start with a shorter time between checks', async () => {
    const session = await signedIn(corp, 'corp');
    await checkedHoursAgo(12);
    corp.refusals.set('/token', { status: 503 });
    const asked = untilAsked(corp, '/token');
    const restarted = await StartedGateway.start({
      env: { ...env, OIDC_PROVIDERS: providersWith(60) },
      beside: gateway,
    });
    await asked;
    await untilIdle();
    await restarted.stop();
    expect(await statusOf(session)).toBe(200);
  });

  it('is not awaited after a start with other settings: former sessions end, and rights follow', async () => {
    const sessions = { corp: await signedIn(corp, 'corp'), partner: await signedIn(partner, 'partner') };
    const startWith = async (providers: object[]) => {
      const started = await StartedGateway.start({
        env: { ...env, OIDC_PROVIDERS: JSON.stringify(providers) },
        beside: gateway,
      });
      await started.stop();
    };
    const grantsOf = async (id: string) =>
      (await gateway.database.pool.query('select grants from users where provider = $1', [id])).rows;
    const configured = JSON.parse(env.OIDC_PROVIDERS!) as { id: string }[];
    await startWith([...configured].reverse());
    expect([await statusOf(sessions.corp), await statusOf(sessions.partner)]).toEqual([200, 200]);

    const grants = { 'risk-analysts': ['viewer'] };
    await startWith(configured.map((one) => (one.id === 'corp' ? { ...one, grants } : one)));
    await until('the end', async () => (await statusOf(sessions.corp)) === 401);
    expect(await statusOf(sessions.partner)).toBe(200);
    expect([await grantsOf('corp'), await grantsOf('partner')]).toEqual([
      [{ grants: ['viewer'] }],
      [{ grants: ['analyst'] }],
    ]);

    await startWith(configured.filter(({ id }) => id === 'corp'));
    await until('the end', async () => (await statusOf(sessions.partner)) === 401);
    expect(await grantsOf('corp')).toEqual([{ grants: ['analyst'] }]);
  });

  it('is made by no gateway whose clock is not trusted', async () => {
    const session = await signedIn(corp, 'corp');
    await gateway.database.pool.query(
      `update sessions set expires_at = now() + interval '12 hours', ends_at = now() + interval '12 hours'
        where id = $1`,
      [session.id],
    );
    corp.groups = [];
    corp.requests.length = 0;
    const clock = () => Date.now() + 2 * CHECK_SECONDS * 1_000;
    const distrust = { cause: 'database', message: 'the clock is ahead' } as const;
    const ahead = await StartedGateway.start({
      ...{ env, clock, trustedClock: { ...bareClock(clock), distrust }, beside: gateway },
    });
    // It looks for sessions before it listens.
    await ahead.stop();
    expect(corp.requests).not.toContain('/token');
    expect(await statusOf(session)).toBe(200);
  });

  it('does not wait for all sessions of a provider that does not answer', async () => {
    const [leaver, other] = [await signedIn(corp, 'corp'), await signedIn(partner, 'partner')];
    await gateway.database.pool.query(
      `insert into sessions
       select (jsonb_populate_record(s, jsonb_build_object(
                'id', gen_random_uuid(), 'secret_hash', '\\x' || md5(n::text)))).*
         from sessions s, generate_series(2, $2) n where s.id = $1`,
      [other.id, HANGING],
    );
    partner.refusals.set('/token', null);
    corp.groups = [];
    const at = new Date();
    await gateway.database.pool.query(
      `update sessions s set checked_at = $1::timestamptz - interval '2 hours',
              check_at = $1::timestamptz - case u.provider when 'partner' then interval '1 second' else interval '0' end
         from users u where u.id = s.user_id`,
      [at],
    );
    const looking = await StartedGateway.start({ env, beside: gateway });
    await until('the end', async () => (await statusOf(leaver)) === 401);
    const { rows: waiting } = await gateway.database.pool.query(
      'select 1 from sessions where check_at < $1',
      [at],
    );
    // None of these had its turn, although all were due earlier.
    expect(waiting.length).toBeGreaterThan(0);
    await looking.stop();
    expect(await statusOf(other)).toBe(200);
  });
});
