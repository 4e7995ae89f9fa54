import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../../test/support/api-client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { untilLockWait } from '../../../../test/support/lock-wait.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { ROLES, SCOPES } from '../auth/scopes.ts';

const PATH = '/api/v3/roles';

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

const send = (client: ApiClient, method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? undefined : JSON.stringify(body));

async function userOf(role: string, at = gateway): Promise<ApiClient> {
  const username = `of-${role}`;
  const { status, body } = await send(admin, 'POST', '/api/v3/credentials', { username, role });
  expect([status, body]).toEqual([200, expect.objectContaining({ username, role })]);
  return ApiClient.signIn(at.url, body);
}

describe('roles (R-AUTH-17)', () => {
  it('are the built-in ones and those that were added', async () => {
    const added = { name: 'triage', scopes: ['findings:read', 'findings:accept'] };
    expect(await send(admin, 'POST', PATH, added)).toMatchObject({
      status: 200,
      body: { ...added, isBuiltIn: false },
    });
    expect((await admin.get(PATH)).items).toEqual([
      ...Object.entries(ROLES).map(([name, scopes]) => ({ name, scopes: [...scopes], isBuiltIn: true })),
      { ...added, isBuiltIn: false },
    ]);
  });

  it('give their credentials their scopes, and nothing else', async () => {
    const user = await userOf('triage');
    expect((await send(user, 'GET', '/api/v3/findings')).status).toBe(200);
    expect(await send(user, 'GET', '/api/v3/assets')).toMatchObject({
      status: 403,
      body: { message: 'this operation requires the scope assets:read: the role triage does not have it' },
    });
  });

  it('change for their credentials in every process, also for answers in progress', async () => {
    await send(admin, 'POST', PATH, { name: 'streaming', scopes: ['changes:read', 'assets:read'] });
    const user = await userOf('streaming', other);
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, {
      authorization: user.authorization,
    });
    const last = stream.next();
    expect((await send(user, 'GET', '/api/v3/findings')).status).toBe(403);
    const scopes = ['assets:read', 'findings:read'];
    expect(await send(admin, 'PATCH', `${PATH}/streaming`, { scopes })).toMatchObject({
      status: 200,
      body: { scopes },
    });
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'changed' } });
    await until('the new scope', async () => (await send(user, 'GET', '/api/v3/findings')).status === 200);
    expect((await send(user, 'GET', '/api/v3/changes')).status).toBe(403);
  });

  it('are deleted when no credential has them', async () => {
    await send(admin, 'POST', PATH, { name: 'short-lived', scopes: ['assets:read'] });
    await userOf('short-lived');
    expect(await send(admin, 'DELETE', `${PATH}/short-lived`)).toMatchObject({
      status: 409,
      body: { message: 'credentials have the role short-lived: delete them first' },
    });
    const credential = (await admin.all('/api/v3/credentials')).find(({ role }) => role === 'short-lived');
    await send(admin, 'DELETE', `/api/v3/credentials/${credential.id}`);
    expect((await send(admin, 'DELETE', `${PATH}/short-lived`)).status).toBe(200);
    expect((await send(admin, 'DELETE', `${PATH}/short-lived`)).status).toBe(404);
  });

  it.each([
    ['deleted', 'while a credential is created with them', 409],
    ['given', 'while they are deleted', 400],
  ])('are not %s %s', async (what, _, status) => {
    const name = `not-${what}`;
    await send(admin, 'POST', PATH, { name, scopes: ['assets:read'] });
    const holder = await gateway.database.pool.connect();
    let answer: ReturnType<typeof send>;
    try {
      await holder.query('begin');
      if (what === 'deleted') {
        // As the creation of a credential does.
        await holder.query('select from roles where name = $1 for key share', [name]);
        await holder.query(
          `insert into credentials (id, username, password_hash, role, created_at)
           values (gen_random_uuid(), $1, 'x', $1, now())`,
          [name],
        );
        answer = send(admin, 'DELETE', `${PATH}/${name}`);
      } else {
        await holder.query('delete from roles where name = $1', [name]);
        answer = send(admin, 'POST', '/api/v3/credentials', { username: name, role: name });
      }
      await untilLockWait('the request waits', gateway.database);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    expect((await answer).status).toBe(status);
    const roles = (await admin.get(PATH)).items.map((role: { name: string }) => role.name);
    for (const { role } of await admin.all('/api/v3/credentials')) expect(roles).toContain(role);
  });

  it('are in the audit trail', async () => {
    const acts = () => admin.all('/api/v3/audit?target=short-lived');
    await until('the fold', async () => (await acts()).length === 2);
    expect((await acts()).map(({ action }) => action)).toEqual([
      'credential.roleDeleted',
      'credential.roleCreated',
    ]);
  });

  it('contain only scopes that their creator has', async () => {
    const { body } = await send(admin, 'POST', '/api/v3/tokens', {
      name: 'limited',
      scopes: ['credentials:write', 'assets:read'],
    });
    const limited = (method: string, path: string, asked: object) =>
      fetch(`${gateway.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${body.token}` },
        body: JSON.stringify(asked),
      });
    expect((await limited('POST', PATH, { name: 'more', scopes: ['settings:write'] })).status).toBe(403);
    expect((await limited('PATCH', `${PATH}/triage`, { scopes: [...SCOPES] })).status).toBe(403);
    const asked = { username: 'more', role: 'triage' };
    expect((await limited('POST', '/api/v3/credentials', asked)).status).toBe(403);
    // A role with fewer scopes would let the caller rotate its credentials, until an admin restores it.
    const lowered = await limited('PATCH', `${PATH}/triage`, { scopes: ['assets:read'] });
    expect([lowered.status, await lowered.json()]).toEqual([
      403,
      expect.objectContaining({
        message:
          'you may grant only scopes that you have yourself: you do not have findings:read, findings:accept',
      }),
    ]);
  });

  it.each([
    ['POST', '', { name: 'Bad', scopes: ['assets:read'] }, 400, /^name must be 1 to 40 small letters/],
    ['POST', '', { name: 'bad', scopes: [] }, 400, /^scopes /],
    ['POST', '', { name: 'bad', scopes: ['everything'] }, 400, /^scopes must be one or more of /],
    ['POST', '', { name: 'admin', scopes: ['assets:read'] }, 409, /^the role admin is part of the product/],
    ['POST', '', { name: 'triage', scopes: ['assets:read'] }, 409, /^the name triage is already in use/],
    ['PATCH', '/viewer', { scopes: ['assets:read'] }, 409, /^the role viewer is part of the product/],
    ['PATCH', '/unknown', { scopes: ['assets:read'] }, 404, /^no role has the name unknown/],
    ['PATCH', '/triage', {}, 400, /^scopes /],
    ['DELETE', '/analyst', undefined, 409, /^the role analyst is part of the product/],
    ['DELETE', '/Bad', undefined, 400, /^name must be 1 to 40 small letters/],
  ])('%s %s with %j is a %i', async (method, path, body, status, message) => {
    expect(await send(admin, method, `${PATH}${path}`, body)).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    });
  });

  it('of a credential must exist', async () => {
    expect(
      await send(admin, 'POST', '/api/v3/credentials', { username: 'x', role: 'unknown' }),
    ).toMatchObject({
      status: 400,
      body: { message: 'role must be admin, analyst, viewer or the name of a role (got unknown)' },
    });
  });
});
