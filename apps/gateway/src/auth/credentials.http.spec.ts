import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const PATH = '/api/v3/credentials';

let now = Date.parse('2026-03-02T08:00:00.000Z');
let gateway: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  admin = await gateway.client('admin');
});
afterAll(() => gateway.stop());

const send = (client: ApiClient, method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? undefined : JSON.stringify(body));

const signIn = (username: string, password: string) =>
  fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  });

const add = async (username: string, role = 'analyst') =>
  (await send(admin, 'POST', PATH, { username, role })).body;

describe('credentials (R-AUTH-5, R-AUTH-6)', () => {
  it('are made with a password that is shown once, and listed with their last use', async () => {
    const made = await add('scanner', 'viewer');
    expect(made).toEqual({
      id: expect.any(String),
      username: 'scanner',
      role: 'viewer',
      createdAt: new Date(now).toISOString(),
      departments: null,
      locations: null,
      lastUsedAt: null,
      hasSecondFactor: false,
      isBreakGlass: false,
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    now += 60_000;
    await ApiClient.signIn(gateway.url, made);
    const listed = await admin.all(PATH);
    expect(listed.map(({ username }) => username)).toEqual(['admin', 'analyst', 'scanner', 'viewer']);
    const { password: _, ...shown } = made;
    expect(listed[2]).toEqual({ ...shown, lastUsedAt: new Date(now).toISOString() });
    expect(JSON.stringify(listed)).not.toContain(made.password);
    expect(gateway.lines.join('')).not.toContain(made.password);
  });

  it('open with no password after a restore has locked them, until they are rotated', async () => {
    const made = await add('locked');
    await gateway.database.pool.query(`update credentials set password_hash = '' where id = $1`, [made.id]);
    for (const password of ['', made.password]) expect((await signIn('locked', password)).status).toBe(401);
    const { body } = await send(admin, 'POST', `${PATH}/${made.id}/rotate`);
    expect((await signIn('locked', body.password)).status).toBe(200);
  });

  it('end with their tokens when they are deleted', async () => {
    const made = await add('leaving');
    const client = await ApiClient.signIn(gateway.url, made);
    expect((await client.request('GET', '/api/v3/settings')).status).toBe(200);
    expect((await send(admin, 'DELETE', `${PATH}/${made.id}`)).status).toBe(200);
    expect(await client.request('GET', '/api/v3/settings')).toMatchObject({
      status: 401,
      body: { message: expect.stringMatching(/deleted or rotated: sign in/) },
    });
    expect((await signIn('leaving', made.password)).status).toBe(401);
    expect((await send(admin, 'DELETE', `${PATH}/${made.id}`)).status).toBe(404);
  });

  it('end in other processes within seconds', async () => {
    const made = await add('elsewhere');
    const client = await ApiClient.signIn(gateway.url, made);
    await gateway.database.db.deleteFrom('credentials').where('id', '=', made.id).execute();
    await until('the end', async () => (await client.request('GET', '/api/v3/settings')).status === 401);
  });

  it('get another password, and the old one ends with its tokens', async () => {
    const made = await add('rotated');
    const client = await ApiClient.signIn(gateway.url, made);
    const { status, body } = await send(admin, 'POST', `${PATH}/${made.id}/rotate`);
    expect([status, body.id]).toEqual([200, made.id]);
    expect(body.password).not.toBe(made.password);
    expect((await client.request('GET', '/api/v3/settings')).status).toBe(401);
    expect((await signIn('rotated', made.password)).status).toBe(401);
    expect((await signIn('rotated', body.password)).status).toBe(200);
  });

  it('always keep one admin, also if two are deleted at the same time', async () => {
    const [me] = (await admin.all(PATH)).filter(({ role }) => role === 'admin');
    expect((await send(admin, 'DELETE', `${PATH}/${me.id}`)).status).toBe(409);
    const other = await add('second-admin', 'admin');
    const answers = await Promise.all([me, other].map(({ id }) => send(admin, 'DELETE', `${PATH}/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const left = await ApiClient.signIn(
      gateway.url,
      answers[0]!.status === 200 ? other : { username: 'admin', password: 'a-password-for-tests' },
    );
    admin = left;
  });

  it('get only one password of two rotations at the same time, and are deleted once', async () => {
    const made = await add('contended');
    const both = (method: string, path: string) =>
      Promise.all([send(admin, method, path), send(admin, method, path)]);
    const rotations = await both('POST', `${PATH}/${made.id}/rotate`);
    expect(rotations.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { password } = rotations.find(({ status }) => status === 200)!.body;
    expect((await signIn('contended', password)).status).toBe(200);
    const deletions = await both('DELETE', `${PATH}/${made.id}`);
    expect(deletions.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('are marked for emergencies one at a time, also if two are marked at once', async () => {
    const admins = [await add('emergency-1', 'admin'), await add('emergency-2', 'admin')];
    const marks = await Promise.all(admins.map(({ id }) => send(admin, 'POST', `${PATH}/${id}/break-glass`)));
    expect(marks.map(({ status }) => status)).toEqual([200, 200]);
    expect((await admin.all(PATH)).filter(({ isBreakGlass }) => isBreakGlass)).toHaveLength(1);
    for (const { id } of admins) await send(admin, 'DELETE', `${PATH}/${id}`);
  });

  it('are in the audit trail, without a secret', async () => {
    const made = await add('audited');
    await send(admin, 'POST', `${PATH}/${made.id}/rotate`);
    await send(admin, 'DELETE', `${PATH}/${made.id}`);
    const acts = () => admin.all(`/api/v3/audit?target=${made.id}`);
    await until('the fold', async () => (await acts()).length === 3);
    expect((await acts()).map(({ action }) => action)).toEqual([
      'credential.deleted',
      'credential.rotated',
      'credential.created',
    ]);
    expect(JSON.stringify(await acts())).not.toContain(made.password);
  });

  it.each([
    ['no name', { role: 'viewer' }, 400],
    ['a name with a colon', { username: 'a:b', role: 'viewer' }, 400],
    ['a long name', { username: 'x'.repeat(101), role: 'viewer' }, 400],
    ['an unknown role', { username: 'x', role: 'root' }, 400],
    ['a password of the sender’s', { username: 'x', role: 'viewer', password: 'x' }, 400],
    ['a name that is taken', { username: 'viewer', role: 'viewer' }, 409],
  ])('reject %s', async (_, body, status) => {
    expect((await send(admin, 'POST', PATH, body)).status).toBe(status);
  });

  it('require the role admin', async () => {
    const analyst = await gateway.client('analyst');
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['POST', `${PATH}/${NOBODY}/rotate`],
      ['DELETE', `${PATH}/${NOBODY}`],
    ] as const) {
      expect((await analyst.request(method, path)).status).toBe(403);
    }
    expect((await send(admin, 'POST', `${PATH}/${NOBODY}/rotate`)).status).toBe(404);
  });
});

describe('failed sign-ins (R-AUTH-8)', () => {
  it('are limited by user name and address: 429 with the seconds, the right password included', async () => {
    const made = await add('guessed');
    for (let i = 0; i < 10; i += 1) expect((await signIn('guessed', `wrong ${i}`)).status).toBe(401);
    const limited = await signIn('guessed', made.password);
    expect(limited.status).toBe(429);
    expect(await limited.json()).toMatchObject({ message: '900', retryIn: 900 });
    expect((await signIn('analyst', 'a-password-for-tests')).status).toBe(200);
    now += 15 * 60_000;
    expect((await signIn('guessed', made.password)).status).toBe(200);
  });
});
