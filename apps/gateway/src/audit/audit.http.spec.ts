import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { ActOriginsRepository } from '../acts/act-origins.repository.ts';
import type { ActDto } from './audit.dto.ts';

const DAY_MS = 86_400_000;
const FINGERPRINT = expect.stringMatching(/^[0-9a-f]{12}$/);

describe.each([
  ['texts in the clear', {}],
  ['sealed texts', { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) }],
])('the origins of acts, with %s', (kind, sealing) => {
  let now = Date.now() - 60_000;
  let gateway: StartedGateway;
  let token: string;

  beforeAll(async () => {
    const env = { TRUSTED_PROXIES: '127.0.0.1', SECURITY_EVENTS_DAYS: '7', ...sealing };
    gateway = await StartedGateway.start({ folds: true, clock: () => now, env });
    await signIn();
  });
  afterAll(() => gateway.stop());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function signIn(): Promise<void> {
    const authorization = `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}`;
    const answer = await fetch(`${gateway.url}/api/v3/auth`, { method: 'POST', headers: { authorization } });
    token = ((await answer.json()) as { accessToken: string }).accessToken;
  }

  const send = async (method: string, path: string, given?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(given && { body: JSON.stringify(given) }),
    });
    return { status: answer.status, body: (await answer.json()) as { token: string; items: ActDto[] } };
  };

  const actsOf = async (requestId: string): Promise<ActDto[]> =>
    (await send('GET', `/api/v3/audit?requestId=${requestId}`)).body.items;

  /** The act of a request once its origins are stored. */
  async function actOf(requestId: string, origins = 1): Promise<ActDto> {
    let acts: ActDto[] = [];
    await until('the origins', async () => {
      acts = await actsOf(requestId);
      return acts[0]?.origins.length === origins;
    });
    return acts[0]!;
  }

  const from = (address: string, requestId: string) => ({
    'x-forwarded-for': address,
    'x-request-id': requestId,
  });

  it('are the address and the token of the request', async () => {
    const created = { name: 'ci', scopes: ['credentials:write', 'uploads:read'] };
    const made = await send('POST', '/api/v3/tokens', created, from('192.0.2.1', 'by-admin'));
    expect(made.status).toBe(200);
    const first = await actOf('by-admin');
    expect(first).toMatchObject({
      user: 'admin',
      action: 'credential.tokenCreated',
      origins: [{ address: '192.0.2.1', token: FINGERPRINT }],
    });
    const second = await send(
      'POST',
      '/api/v3/tokens',
      { name: 'by-token', scopes: ['uploads:read'] },
      { ...from('2001:db8::1', 'by-ci'), authorization: `Bearer ${made.body.token}` },
    );
    expect(second.status).toBe(200);
    const act = await actOf('by-ci');
    expect(act).toMatchObject({
      user: 'token:ci',
      origins: [{ address: '2001:db8::1', token: FINGERPRINT }],
    });
    expect(act.origins[0]!.token).not.toBe(first.origins[0]!.token);
    const { rows } = await gateway.database.pool.query('select * from act_origins');
    expect(/192\.0\.2\.1|2001:db8::1|"admin"/.test(JSON.stringify(rows))).toBe(kind === 'texts in the clear');
    expect(JSON.stringify(rows)).not.toContain(made.body.token);
  });

  it('are several if a user repeats a request id, and never those of another user', async () => {
    const { body } = await send('POST', '/api/v3/tokens', {
      name: 'other',
      scopes: ['credentials:write'],
    });
    const other = { authorization: `Bearer ${body.token}` };
    const location = (name: string, address: string) =>
      send('POST', '/api/v3/locations', { name }, from(address, 'repeated'));
    await location('Kiel', '192.0.2.2');
    await location('Bonn', '192.0.2.3');
    await location('Jena', '192.0.2.3');
    await send(
      'POST',
      '/api/v3/tokens',
      { name: 'x', scopes: ['credentials:write'] },
      {
        ...from('192.0.2.66', 'repeated'),
        ...other,
      },
    );
    await until('all origins', async () => {
      const acts = await actsOf('repeated');
      return acts.length === 4 && acts.every(({ origins }) => origins.length > 0);
    });
    const addresses = (await actsOf('repeated')).map(({ user, origins }) => [
      user,
      origins.map(({ address }) => address).sort(),
    ]);
    expect(addresses).toContainEqual(['token:other', ['192.0.2.66']]);
    expect(addresses.filter(([user]) => user === 'admin')).toEqual(
      Array.from({ length: 3 }, () => ['admin', ['192.0.2.2', '192.0.2.3']]),
    );
  });

  it('are stored later if the database is unavailable', async () => {
    const add = jest.spyOn(ActOriginsRepository.prototype, 'add');
    add.mockRejectedValueOnce(new Error('away'));
    await send('POST', '/api/v3/locations', { name: 'Late' }, from('192.0.2.4', 'late'));
    expect((await actOf('late')).origins).toEqual([{ address: '192.0.2.4', token: FINGERPRINT }]);
    expect(add.mock.calls.length).toBeGreaterThan(1);
  });

  it('are removed after SECURITY_EVENTS_DAYS, and the act stays', async () => {
    await send('POST', '/api/v3/locations', { name: 'Old' }, from('192.0.2.5', 'old'));
    await actOf('old');
    const origins = new ActOriginsRepository(gateway.database.db);
    await origins.removeOlderThan(7, now + 2 * DAY_MS);
    expect((await actsOf('old'))[0]!.origins).toHaveLength(1);
    await gateway.database.pool.query(
      `update act_origins set at = at - interval '8 days' where request_id = 'old'`,
    );
    // A clock that is behind removes nothing.
    await origins.removeOlderThan(7, now - 2 * DAY_MS);
    expect((await actsOf('old'))[0]!.origins).toHaveLength(1);
    now += 2 * 3_600_000;
    await signIn();
    await until('the removal', async () => (await actsOf('old'))[0]!.origins.length === 0);
  });
});
