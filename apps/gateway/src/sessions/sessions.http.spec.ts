import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import type { Role } from '../auth/scopes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ID = '00000000-0000-4000-8000-000000000000';
let now = Date.parse('2026-05-01T12:00:00Z');
let gateway: StartedGateway;
/** Another process on the same database. */
let other: StartedGateway;
beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now });
  other = await StartedGateway.start({ clock: () => now, beside: gateway });
});
afterAll(async () => {
  await other?.stop();
  await gateway?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: a body as a script reads it
type Answer = { status: number; body: any };

async function send(method: string, path: string, authorization: string, at = gateway): Promise<Answer> {
  const headers = { authorization, 'user-agent': 'a browser' };
  const response = await fetch(`${at.url}/api/v3${path}`, { method, headers });
  return { status: response.status, body: await response.json() };
}

async function begin(role: Role = 'analyst', at = gateway) {
  const basic = Buffer.from(at.credentialsOf(role)).toString('base64');
  const { status, body } = await send('POST', '/sessions', `Basic ${basic}`, at);
  expect(status).toBe(200);
  return { ...body, bearer: `Bearer ${body.token}` };
}

describe('sessions (R-AUTH-22)', () => {
  it('begin with user name and password, and have the rights of the role at every gateway', async () => {
    const session = await begin();
    expect(session).toMatchObject({
      user: 'analyst',
      provider: null,
      isOwn: true,
      userAgent: 'a browser',
      expiresIn: 3_600,
    });
    for (const at of [gateway, other]) {
      expect((await send('GET', '/findings', session.bearer, at)).status).toBe(200);
      expect((await send('GET', '/credentials', session.bearer, at)).status).toBe(403);
    }
    expect(await send('POST', '/sessions', 'Basic YTpi')).toMatchObject({ status: 401 });
    expect(await send('POST', '/sessions', '')).toMatchObject({ status: 401 });
  });

  it('end without activity, and are extended by it, though not beyond their end', async () => {
    const [idle, active] = [await begin(), await begin()];
    expect(active.lastActiveAt).toBe(active.createdAt);
    for (let hour = 0; hour < 11; hour++) {
      now += 59 * MINUTE_MS;
      expect(await send('POST', '/session/extend', active.bearer)).toMatchObject({
        status: 200,
        body: { createdAt: active.createdAt, lastActiveAt: new Date(now).toISOString() },
      });
    }
    expect(await send('GET', '/findings', idle.bearer)).toMatchObject({
      status: 401,
      body: { message: 'the session has expired: sign in again' },
    });
    now += 59 * MINUTE_MS;
    const { body } = await send('POST', '/session/extend', active.bearer);
    expect(body.expiresAt).toBe(body.endsAt);
    now += 30 * MINUTE_MS;
    expect((await send('POST', '/session/extend', active.bearer)).status).toBe(401);
  });

  it('are not ended by a gateway whose clock is ahead', async () => {
    const right = await StartedGateway.start();
    const session = await begin('analyst', right);
    const ahead = await StartedGateway.start({ clock: () => Date.now() + 2 * HOUR_MS, beside: right });
    // The next session lets the gateway read all of them.
    await begin('analyst', right);
    expect((await send('GET', '/findings', session.bearer, right)).status).toBe(200);
    await ahead.stop();
    await right.stop();
  });

  it('are not extended by other requests', async () => {
    const session = await begin();
    now += 30 * MINUTE_MS;
    await send('GET', '/findings', session.bearer);
    now += 31 * MINUTE_MS;
    expect((await send('GET', '/findings', session.bearer)).status).toBe(401);
  });

  it('are listed for their user, and for all people only with the scope', async () => {
    const own = await begin('viewer');
    now += 1;
    const admin = await begin('admin');
    const { body } = await send('GET', '/sessions', own.bearer);
    expect(new Set(body.items.map(({ user }: { user: string }) => user))).toEqual(new Set(['viewer']));
    expect(JSON.stringify(body)).not.toContain(own.token);
    expect((await send('GET', '/sessions?of=all', own.bearer)).status).toBe(403);
    const all = (await send('GET', '/sessions?of=all&limit=1', admin.bearer)).body;
    expect(all.items).toHaveLength(1);
    const next = await send('GET', `/sessions?of=all&cursor=${all.nextCursor}`, admin.bearer);
    expect(next.body.items.map(({ id }: { id: string }) => id)).toContain(own.id);
  });

  it('are ended by their user, with answers in progress at every gateway', async () => {
    const [ended, kept] = [await begin(), await begin()];
    const stream = await EventStream.open(`${other.url}/api/v3/changes`, { authorization: ended.bearer });
    const last = stream.next();
    expect(await send('DELETE', `/sessions/${ended.id}`, kept.bearer)).toMatchObject({ status: 200 });
    expect(await last).toMatchObject({ event: 'end', data: { reason: 'revoked' } });
    expect(await send('GET', '/findings', ended.bearer)).toMatchObject({
      status: 401,
      body: { message: 'the session was ended: sign in again' },
    });
    expect(await send('DELETE', `/sessions/${kept.id}`, kept.bearer)).toMatchObject({ status: 200 });
    expect((await send('GET', '/findings', kept.bearer)).status).toBe(401);
  });

  it('of another user are ended only by an admin', async () => {
    const [victim, stranger, admin] = [await begin('analyst'), await begin('viewer'), await begin('admin')];
    expect((await send('DELETE', `/sessions/${victim.id}`, stranger.bearer)).status).toBe(404);
    expect((await send('DELETE', `/sessions/${victim.id}`, admin.bearer)).status).toBe(200);
    expect((await send('GET', '/findings', victim.bearer)).status).toBe(401);
  });

  it('of another user end with a security event', async () => {
    const [victim, own, session] = [await begin('viewer'), await begin('admin'), await begin('admin')];
    const admin = await gateway.client('admin');
    const logouts = () => admin.all('/api/v3/security-events?kind=logout&user=viewer');
    expect((await send('DELETE', `/sessions/${own.id}`, session.bearer)).status).toBe(200);
    expect((await send('DELETE', `/sessions/${victim.id}`, session.bearer)).status).toBe(200);
    await until('the event', async () => (await logouts()).length > 0);
    expect(await logouts()).toEqual([
      expect.objectContaining({
        outcome: 'success',
        reason: null,
        user: 'viewer',
        address: '127.0.0.1',
        token: createHash('sha256').update(session.token).digest('hex').slice(0, 12),
        requestId: expect.any(String),
      }),
    ]);
    expect(await admin.all('/api/v3/security-events?kind=logout&user=admin')).toEqual([]);
  });

  it('that are not issued are refused sign-ins', async () => {
    const { pool } = gateway.database;
    const admin = await gateway.client('admin');
    const given = JSON.stringify({ username: 'full', role: 'viewer' });
    const { id, password } = (await admin.request('POST', '/api/v3/credentials', given)).body;
    await pool.query(
      `insert into sessions (id, secret_hash, credential_id, generation, created_at, expires_at, ends_at, address, user_agent)
       select gen_random_uuid(), decode(md5(n::text), 'hex'), $1, 1, $2, $3, $3, '127.0.0.1', 'filler'
         from generate_series(1, 10000) n`,
      [id, new Date(now), new Date(now + MINUTE_MS)],
    );
    const signIn = () =>
      send('POST', '/sessions', `Basic ${Buffer.from(`full:${password}`).toString('base64')}`);
    const message = 'the limit of 10000 sessions is reached: retry later';
    expect(await signIn()).toMatchObject({ status: 503, body: { message } });
    await pool.query(`delete from sessions where user_agent = 'filler'`);
    expect((await signIn()).status).toBe(200);
    const events = () => admin.all('/api/v3/security-events?kind=signIn&user=full');
    await until('the events', async () => (await events()).length === 2);
    expect((await events()).map(({ outcome, reason }) => [outcome, reason]).toSorted()).toEqual([
      ['refused', 'sessionsFull'],
      ['success', null],
    ]);
  });

  it('of users who see more rows do not exist for an admin with limits', async () => {
    const [victim, admin] = [await begin('analyst'), await gateway.client('admin')];
    const limits = { departments: ['Sales'] };
    const given = JSON.stringify({ username: 'lee', role: 'admin', ...limits });
    const { username, password } = (await admin.request('POST', '/api/v3/credentials', given)).body;
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const own = (await send('POST', '/sessions', `Basic ${basic}`)).body;
    expect(own).toMatchObject({ departments: ['Sales'], locations: null });
    const bearer = `Bearer ${own.token}`;
    const { items } = (await send('GET', '/sessions?of=all', bearer)).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([own.id]);
    expect((await send('DELETE', `/sessions/${victim.id}`, bearer)).status).toBe(404);
    expect((await send('GET', '/settings', bearer)).status).toBe(403);
  });

  it('are all ended except the own one', async () => {
    const [first, second] = [await begin('viewer'), await begin('viewer')];
    expect((await send('POST', '/sessions/end-others', second.bearer)).body.ended).toBeGreaterThan(0);
    expect((await send('GET', '/findings', first.bearer)).status).toBe(401);
    expect((await send('GET', '/findings', second.bearer)).status).toBe(200);
  });

  it('of one user are at most 20: the oldest end', async () => {
    const oldest = await begin('viewer');
    for (let i = 0; i < 20; i++) {
      now += 1;
      await begin('viewer');
    }
    expect((await send('GET', '/findings', oldest.bearer)).status).toBe(401);
  });

  it('end when their credential is rotated', async () => {
    const [session, admin] = [await begin('analyst'), await gateway.client('admin')];
    const credential = (await admin.all('/api/v3/credentials')).find(
      ({ username }) => username === 'analyst',
    );
    await admin.request('POST', `/api/v3/credentials/${credential.id}/rotate`);
    expect((await send('GET', '/findings', session.bearer)).status).toBe(401);
  });

  it.each([
    ['GET', '/session', 404],
    ['POST', '/session/extend', 404],
    ['GET', '/sessions?of=theirs', 400],
    ['GET', '/sessions?cursor=x', 400],
    ['DELETE', '/sessions/x', 400],
    ['DELETE', `/sessions/${ID}`, 404],
  ])('%s %s with the token of no session is a %i', async (method, path, status) => {
    const { authorization } = await gateway.client('admin');
    expect((await send(method, path, authorization)).status).toBe(status);
  });

  it('that nobody began are a 401', async () => {
    const token = `posture_session_${'x'.repeat(43)}`;
    expect((await send('GET', '/findings', `Bearer ${token}`)).status).toBe(401);
  });
});
