import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { untilLockWait } from '../../../../test/support/lock-wait.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { hashOf } from '../auth/api-token.ts';
import { newSessionToken } from '../auth/session-token.ts';

const PATH = '/api/v3/users';
const ID = '00000000-0000-4000-8000-000000000000';

let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;
let admin: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
  other = await StartedGateway.start({ beside: gateway });
  admin = await gateway.client('admin');
});
afterAll(async () => {
  await other?.stop();
  await gateway?.stop();
});

/** As a sign-in stores a user and a session; sign-ins.http.spec.ts tests the sign-in itself. */
async function signedIn(name: string, departments: string[] | null = null) {
  const [id, token] = [randomUUID(), newSessionToken()];
  const { pool } = gateway.database;
  await pool.query(
    `insert into users (id, provider, subject, name, grants, departments, created_at, last_sign_in_at)
     values ($1, 'corp', $2, $3, '{admin}', $4, now(), now())`,
    [id, name, `corp:${name}`, departments],
  );
  await pool.query(
    `insert into sessions (id, secret_hash, user_id, created_at, expires_at, ends_at, address, user_agent)
     values (gen_random_uuid(), $1, $2, now(), now() + interval '1 hour', now() + interval '1 hour', '', '')`,
    [hashOf(token), id],
  );
  const ask = async (at = gateway) =>
    (await fetch(`${at.url}${PATH}`, { headers: { authorization: `Bearer ${token}` } })).status;
  await until('the session', async () => (await ask()) === 200 && (await ask(other)) === 200);
  return { id, name: `corp:${name}`, token, ask };
}

const change = (id: string, isActive: unknown) =>
  admin.request('PATCH', `${PATH}/${id}`, JSON.stringify({ isActive }));

describe('users of identity providers (R-AUTH-32)', () => {
  it('are listed with their rights, limits and sessions', async () => {
    const { id, name } = await signedIn('ana', ['Sales']);
    expect((await admin.all(PATH)).find((user) => user.id === id)).toEqual({
      id,
      name,
      provider: 'corp',
      displayName: null,
      isActive: true,
      grants: ['admin'],
      departments: ['Sales'],
      locations: null,
      createdAt: expect.any(String),
      lastSignInAt: expect.any(String),
      sessions: 1,
    });
  });

  it('lose their sessions at every gateway when they are disabled, and get none back', async () => {
    const user = await signedIn('ben');
    expect(await change(user.id, false)).toMatchObject({
      status: 200,
      body: { isActive: false, sessions: 0 },
    });
    for (const at of [gateway, other]) await until('the end', async () => (await user.ask(at)) === 401);
    expect(await change(user.id, true)).toMatchObject({ status: 200, body: { isActive: true } });
    expect(await user.ask()).toBe(401);
    const acts = () => admin.all(`/api/v3/audit?target=${user.id}`);
    await until('the fold', async () => (await acts()).length === 2);
    expect((await acts()).map(({ action, detail }) => [action, detail.after.username])).toEqual([
      ['credential.userEnabled', 'corp:ben'],
      ['credential.userDisabled', 'corp:ben'],
    ]);
  });

  it('stay disabled if their provider changes them at the same time', async () => {
    const user = await signedIn('fay');
    const { pool } = gateway.database;
    const isActive = async () =>
      (await pool.query('select is_active from users where id = $1', [user.id])).rows[0].is_active;
    const holder = await pool.connect();
    let disabled: ReturnType<typeof change>;
    try {
      await holder.query('begin');
      // As provisioning does, which then writes what it has read.
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('users of corp', 0))`);
      disabled = change(user.id, false);
      await untilLockWait('the request waits for the provisioning', gateway.database);
      await holder.query('update users set is_active = true where id = $1', [user.id]);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    expect(await disabled).toMatchObject({ status: 200, body: { isActive: false } });
    expect(await isActive()).toBe(false);
  });

  it('are deleted with their sessions', async () => {
    const user = await signedIn('cleo');
    expect(await admin.request('DELETE', `${PATH}/${user.id}`)).toMatchObject({
      status: 200,
      body: { id: user.id },
    });
    await until('the end', async () => (await user.ask(other)) === 401);
    expect((await admin.request('DELETE', `${PATH}/${user.id}`)).status).toBe(404);
  });

  it('do not change themselves, and limited users see only users within their limits', async () => {
    const [limited, whole] = [await signedIn('dana', ['Sales']), await signedIn('eve')];
    const send = (user: { token: string }, method: string, id = '', body?: object) =>
      fetch(`${gateway.url}${PATH}${id && `/${id}`}`, {
        method,
        headers: { authorization: `Bearer ${user.token}` },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect((await send(whole, 'PATCH', whole.id, { isActive: false })).status).toBe(409);
    expect((await send(whole, 'DELETE', whole.id)).status).toBe(409);
    const { items } = (await (await send(limited, 'GET')).json()) as { items: { id: string }[] };
    const ids = items.map(({ id }) => id);
    expect([ids.includes(limited.id), ids.includes(whole.id)]).toEqual([true, false]);
    expect((await send(limited, 'DELETE', whole.id)).status).toBe(404);
  });

  it.each([
    [ID, false, 404, /^no user has the id /],
    [ID, 'no', 400, /^isActive must be true or false/],
    ['x', false, 400, /uuid/i],
  ])('PATCH %s with %j is a %i', async (id, isActive, status, message) => {
    expect(await change(id, isActive)).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    });
  });
});
