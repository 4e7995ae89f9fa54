import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** All gateways of a site have it. */
const KEY = { POSTURE_SECRET_KEY: 'of-all-gateways-of-this-test-0123456789' };
let now = Date.parse('2026-05-01T12:00:00Z');
let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;
let admin: ApiClient;
let users = 0;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now, folds: true, env: KEY });
  other = await StartedGateway.start({ clock: () => now, beside: gateway, env: KEY });
  admin = await gateway.client('admin');
});
afterAll(async () => {
  await other?.stop();
  await gateway?.stop();
});

interface User {
  id: string;
  username: string;
  password: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a body as a script reads it
type Answer = { status: number; body: any };

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  { body, at = gateway }: { body?: object; at?: StartedGateway } = {},
): Promise<Answer> {
  const response = await fetch(`${at.url}/api/v3${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const basicOf = ({ username, password }: User) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const signIn = (user: User, code?: string, path = '/auth', at = gateway): Promise<Answer> =>
  send('POST', path, { authorization: basicOf(user), ...(code && { 'x-second-factor': code }) }, { at });

async function newUser(role = 'analyst'): Promise<User> {
  users += 1;
  const given = JSON.stringify({ username: `person-${users}`, role });
  const { status, body } = await admin.request('POST', '/api/v3/credentials', given);
  expect(status).toBe(200);
  return body;
}

async function bearerOf(user: User, code?: string): Promise<Record<string, string>> {
  const { status, body } = await signIn(user, code);
  expect([status, body]).toEqual([200, expect.anything()]);
  return { authorization: `Bearer ${body.accessToken}` };
}

const codeAt = (secret: string, at = now): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
const wrongCode = (secret: string): string => {
  const valid = [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, now + steps * STEP_MS));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !valid.includes(code))!;
};

/** A user with a second factor, and the codes. */
async function enrolled(role?: string) {
  const user = await newUser(role);
  const bearer = await bearerOf(user);
  const begun = await send('POST', '/second-factor', bearer, { body: { password: user.password } });
  expect(begun.status).toBe(200);
  const { secret } = begun.body as { secret: string };
  const confirmed = await send('POST', '/second-factor/confirm', bearer, { body: { code: codeAt(secret) } });
  expect([confirmed.status, confirmed.body]).toEqual([200, { recoveryCodes: expect.any(Array) }]);
  now += STEP_MS;
  await until(
    'the other gateway',
    async () => (await signIn(user, undefined, '/auth', other)).status === 401,
  );
  return { user, bearer, secret, begun: begun.body, recoveryCodes: confirmed.body.recoveryCodes as string[] };
}

const refused = (reason: string) => ({ status: 401, body: { statusCode: 401, reason } });

const eventsOf = async (user: User, kind: string, reason?: string) =>
  admin.all(`/api/v3/security-events?kind=${kind}&user=${user.username}${reason ? `&reason=${reason}` : ''}`);

describe('a second factor (R-AUTH-28)', () => {
  it('is required after a code has confirmed it, for access tokens and sessions at every gateway', async () => {
    const user = await newUser();
    const bearer = await bearerOf(user);
    const begin = { body: { password: user.password } };
    const { body: begun } = await send('POST', '/second-factor', bearer, begin);
    expect(begun.uri).toMatch(
      /^otpauth:\/\/totp\/Risk%20Posture%20Service:person-\d+\?issuer=Risk%20Posture%20Service&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
    );
    expect(begun.qrCode).toMatch(/^<svg /);
    expect((await signIn(user)).status).toBe(200);
    const confirm = { body: { code: codeAt(begun.secret) } };
    const { status, body } = await send('POST', '/second-factor/confirm', bearer, confirm);
    expect(status).toBe(200);
    // The other gateway may not know of it yet.
    expect(await signIn(user, undefined, '/sessions', other)).toMatchObject(refused('secondFactorRequired'));
    expect(new Set(body.recoveryCodes).size).toBe(10);
    now += STEP_MS;
    for (const path of ['/auth', '/sessions']) {
      expect(await signIn(user, undefined, path)).toMatchObject(refused('secondFactorRequired'));
      expect(await signIn(user, wrongCode(begun.secret), path)).toMatchObject(refused('secondFactorWrong'));
      expect((await signIn(user, codeAt(begun.secret), path)).status).toBe(200);
      now += STEP_MS;
    }
    await until(
      'the other gateway',
      async () => (await signIn(user, undefined, '/auth', other)).status === 401,
    );
    expect((await signIn(user, codeAt(begun.secret), '/auth', other)).status).toBe(200);
    expect((await send('GET', '/second-factor', bearer)).body).toEqual({
      isEnabled: true,
      isRequired: false,
      dueAt: null,
      recoveryCodes: 10,
    });
    await until('its events', async () => (await eventsOf(user, 'signIn', 'secondFactorWrong')).length > 0);
  });

  it('takes a code with one step of tolerance, and each code once at all gateways', async () => {
    const { user, secret } = await enrolled();
    now += 10 * STEP_MS;
    for (const steps of [-2, 2]) {
      expect(await signIn(user, codeAt(secret, now + steps * STEP_MS))).toMatchObject(
        refused('secondFactorWrong'),
      );
    }
    for (const steps of [-1, 0, 1]) {
      const code = codeAt(secret, now + steps * STEP_MS);
      const answers = await Promise.all(
        [gateway, other, gateway, other].map((at) => signIn(user, code, '/auth', at)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    }
    // The code of an earlier step is still within the tolerance.
    expect(await signIn(user, codeAt(secret))).toMatchObject(refused('secondFactorWrong'));
  });

  it('does not take the code that confirmed it again', async () => {
    const { user, secret } = await enrolled();
    expect(await signIn(user, codeAt(secret, now - STEP_MS))).toMatchObject(refused('secondFactorWrong'));
  });

  it('takes each recovery code once, as people type it, and reports that it was one', async () => {
    const { user, bearer, recoveryCodes, secret } = await enrolled();
    const [first, second] = recoveryCodes as [string, string];
    const answers = await Promise.all([gateway, other].map((at) => signIn(user, first, '/auth', at)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signIn(user, second.toUpperCase().replaceAll('-', ''))).status).toBe(200);
    expect((await send('GET', '/second-factor', bearer)).body).toMatchObject({ recoveryCodes: 8 });
    const another = await send('POST', '/second-factor/recovery-codes', bearer, {
      body: { code: codeAt(secret) },
    });
    expect(another.body.recoveryCodes).toHaveLength(10);
    expect(await signIn(user, recoveryCodes[2])).toMatchObject(refused('secondFactorWrong'));
    expect((await signIn(user, another.body.recoveryCodes[2])).status).toBe(200);
    await until('the events', async () => {
      const events = await eventsOf(user, 'recoveryCode');
      return events.reduce((sum: number, { count }: { count: number }) => sum + count, 0) === 3;
    });
  });

  it('bounds wrong codes at all gateways together, and takes right ones after a while', async () => {
    const { user, secret } = await enrolled();
    for (let i = 0; i < 10; i += 1) {
      const at = i % 2 === 0 ? gateway : other;
      expect(await signIn(user, wrongCode(secret), '/auth', at)).toMatchObject(refused('secondFactorWrong'));
    }
    for (const at of [gateway, other]) {
      const { status, body } = await signIn(user, codeAt(secret), '/auth', at);
      expect([status, Number(body.message)]).toEqual([429, 15 * 60]);
    }
    now += 15 * MINUTE_MS;
    expect((await signIn(user, codeAt(secret))).status).toBe(200);
  });

  it('is set up with the password, and ends the other sessions', async () => {
    const user = await newUser();
    const sessions = [await signIn(user, undefined, '/sessions'), await signIn(user, undefined, '/sessions')];
    const [own, another] = sessions.map(({ body }) => ({ authorization: `Bearer ${body.token}` }));
    const wrong = await send('POST', '/second-factor', own!, { body: { password: 'of somebody else' } });
    expect(wrong).toMatchObject({ status: 403, body: { message: 'the password is wrong' } });
    const { body } = await send('POST', '/second-factor', own!, { body: { password: user.password } });
    const early = await send('POST', '/second-factor/confirm', own!, {
      body: { code: wrongCode(body.secret) },
    });
    expect(early.status).toBe(403);
    const code = codeAt(body.secret);
    expect((await send('POST', '/second-factor/confirm', own!, { body: { code } })).status).toBe(200);
    expect((await send('GET', '/session', own!)).status).toBe(200);
    expect((await send('GET', '/session', another!)).status).toBe(401);
  });

  it('is removed by its user with a code, or by another admin, and the acts are in the audit trail', async () => {
    const { user, bearer, secret } = await enrolled('admin');
    const wrong = { body: { code: wrongCode(secret) } };
    expect((await send('POST', '/second-factor/remove', bearer, wrong)).status).toBe(403);
    const own = await send('DELETE', `/credentials/${user.id}/second-factor`, bearer);
    expect(own).toMatchObject({ status: 409 });
    const removed = await send('POST', '/second-factor/remove', bearer, { body: { code: codeAt(secret) } });
    expect(removed.body).toMatchObject({ isEnabled: false, recoveryCodes: 0 });
    expect((await signIn(user)).status).toBe(200);

    const lost = await enrolled();
    const path = `/api/v3/credentials/${lost.user.id}/second-factor`;
    expect((await admin.get('/api/v3/credentials?limit=500')).items).toContainEqual(
      expect.objectContaining({ id: lost.user.id, hasSecondFactor: true }),
    );
    expect(await admin.request('DELETE', path)).toMatchObject({
      status: 200,
      body: { hasSecondFactor: false },
    });
    expect(await admin.request('DELETE', path)).toMatchObject({ status: 409 });
    expect((await signIn(lost.user)).status).toBe(200);
    const acts = () => admin.all(`/api/v3/audit?target=${lost.user.id}`);
    await until('the fold', async () => (await acts()).length === 3);
    expect((await acts()).map(({ action, user: by }) => [action, by])).toEqual([
      ['credential.secondFactorRemoved', 'admin'],
      ['credential.secondFactorEnabled', lost.user.username],
      ['credential.created', 'admin'],
    ]);
  });

  it('reveals nothing about a wrong password, and is not stored in the clear', async () => {
    const { user, secret, recoveryCodes } = await enrolled();
    const guess = { ...user, password: 'a guess' };
    const without = await signIn(guess);
    expect(await signIn(guess, codeAt(secret))).toEqual(without);
    expect(without).toMatchObject({ status: 401, body: { message: 'wrong user name or password' } });
    const { rows } = await gateway.database.pool.query('select f::text as row from second_factors f');
    const stored = rows.map(({ row }) => row).join();
    const hidden = [secret, ...recoveryCodes, Buffer.from(recoveryCodes[0]!).toString('hex')];
    for (const one of hidden) expect(stored).not.toContain(one);
    expect(gateway.lines.join()).not.toContain(secret);
  });

  it('belongs to credentials', async () => {
    const given = JSON.stringify({ name: 'program', scopes: ['assets:read'] });
    const { body } = await admin.request('POST', '/api/v3/tokens', given);
    expect(await send('GET', '/second-factor', { authorization: `Bearer ${body.token}` })).toMatchObject({
      status: 404,
    });
  });

  it.each([
    ['', {}, 400, /^password must have 1 to 256 characters/],
    ['', { password: 7 }, 400, /^password must/],
    ['/confirm', {}, 400, /^code must be six digits or a recovery code/],
    ['/confirm', { code: '12345' }, 400, /^code must be six digits/],
    ['/confirm', { code: '123456' }, 409, /^no second factor waits for a code/],
    ['/remove', { code: '123456' }, 409, /^you have no second factor/],
    ['/recovery-codes', { code: '123456' }, 409, /^you have no second factor/],
  ])('POST %s with %j is a %i', async (path, body, status, message) => {
    const bearer = { authorization: admin.authorization };
    expect(await send('POST', `/second-factor${path}`, bearer, { body })).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    });
  });

  it('takes no header of another form', async () => {
    const user = await newUser();
    expect(await signIn(user, 'x'.repeat(40))).toMatchObject({
      status: 400,
      body: { message: 'X-Second-Factor must be six digits or a recovery code' },
    });
  });
});

describe('a second factor that a role must have (R-AUTH-29)', () => {
  let strict: StartedGateway;
  beforeAll(async () => {
    strict = await StartedGateway.start({
      clock: () => now,
      beside: gateway,
      env: { ...KEY, SECOND_FACTOR_ROLES: 'analyst, triage', SECOND_FACTOR_GRACE_DAYS: '3' },
    });
  });
  afterAll(() => strict?.stop());

  it('may be missing for some days after the first sign-in, which a rotation begins again', async () => {
    const user = await newUser('analyst');
    const { body } = await signIn(user, undefined, '/sessions', strict);
    const bearer = { authorization: `Bearer ${body.token}` };
    expect((await send('GET', '/second-factor', bearer, { at: strict })).body).toEqual({
      isEnabled: false,
      isRequired: true,
      dueAt: new Date(now + 3 * DAY_MS).toISOString(),
      recoveryCodes: 0,
    });
    now += 2 * DAY_MS;
    expect((await signIn(user, undefined, '/auth', strict)).status).toBe(200);
    now += DAY_MS;
    for (const path of ['/auth', '/sessions']) {
      expect(await signIn(user, undefined, path, strict)).toMatchObject(refused('secondFactorNotEnrolled'));
    }
    admin = await gateway.client('admin');
    const rotated = await admin.request('POST', `/api/v3/credentials/${user.id}/rotate`);
    await until('the rotation', async () => {
      const { status } = await signIn(
        { ...user, password: rotated.body.password },
        undefined,
        '/auth',
        strict,
      );
      return status === 200;
    });
  });

  it('is a warning at the start for a role that does not exist, which may be created later', async () => {
    const warnings = ({ lines }: StartedGateway) =>
      lines.filter((line) => line.includes('SECOND_FACTOR_ROLES'));
    expect(warnings(strict)).toEqual([expect.stringContaining('do not exist: triage. Check')]);
    admin = await gateway.client('admin');
    const triage = JSON.stringify({ name: 'triage', scopes: ['findings:read'] });
    expect((await admin.request('POST', '/api/v3/roles', triage)).status).toBe(200);
    for (const roles of ['admin,analyst,triage', '*']) {
      const env = { ...KEY, SECOND_FACTOR_ROLES: roles };
      const correct = await StartedGateway.start({ clock: () => now, beside: gateway, env });
      expect(warnings(correct)).toEqual([]);
      await correct.stop();
    }
  });

  it('does not concern other roles, nor those who have one', async () => {
    const { user, secret } = await enrolled('analyst');
    const viewer = await newUser('viewer');
    await signIn(viewer, undefined, '/auth', strict);
    now += 9 * DAY_MS;
    admin = await gateway.client('admin');
    expect((await signIn(user, codeAt(secret), '/auth', strict)).status).toBe(200);
    expect((await signIn(viewer, undefined, '/auth', strict)).status).toBe(200);
  });
});

describe('the credential for emergencies (R-AUTH-30)', () => {
  let closed: StartedGateway;
  beforeAll(async () => {
    const locked = await newUser('admin');
    await gateway.database.pool.query(
      `update credentials set is_break_glass = true, password_hash = '' where id = $1`,
      [locked.id],
    );
    closed = await StartedGateway.start({
      clock: () => now,
      beside: gateway,
      env: { ...KEY, LOCAL_SIGN_IN: 'off', SECOND_FACTOR_ROLES: '*', SECOND_FACTOR_GRACE_DAYS: '0' },
    });
  });
  afterAll(() => closed?.stop());

  it('signs in when no other does, with an event of its own each time', async () => {
    expect(closed.lines.join()).toContain('no credential is for emergencies');
    const [emergency, usual] = [await newUser('admin'), await newUser('admin')];
    const path = `/api/v3/credentials/${emergency.id}/break-glass`;
    expect(await admin.request('POST', path)).toMatchObject({ status: 200, body: { isBreakGlass: true } });
    await until(
      'the other gateway',
      async () => (await signIn(emergency, undefined, '/sessions', closed)).status === 200,
    );
    expect(await signIn(usual, undefined, '/sessions', closed)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^only identity providers sign people in/) },
    });
    const wrong = { ...usual, password: 'wrong' };
    expect((await signIn(wrong, undefined, '/auth', closed)).status).toBe(401);
    await until('the events', async () => (await eventsOf(emergency, 'breakGlass')).length > 0);
    expect(await eventsOf(usual, 'breakGlass')).toEqual([]);
    await until('the refusal', async () => (await eventsOf(usual, 'signIn', 'localSignInOff')).length > 0);
  });

  it('is one admin without limits, replaced by the next', async () => {
    const [first, second] = [await newUser('admin'), await newUser('admin')];
    const mark = (id: string) => admin.request('POST', `/api/v3/credentials/${id}/break-glass`);
    expect((await mark((await newUser('analyst')).id)).status).toBe(409);
    await mark(first.id);
    await mark(second.id);
    const marked = async () =>
      (await admin.all('/api/v3/credentials')).filter(({ isBreakGlass }) => isBreakGlass).map(({ id }) => id);
    expect(await marked()).toEqual([second.id]);
    await admin.request('DELETE', `/api/v3/credentials/${second.id}/break-glass`);
    expect(await marked()).toEqual([]);
  });
});
