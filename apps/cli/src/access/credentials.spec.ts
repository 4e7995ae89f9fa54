import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { ApiClient as TestClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { runPosture } from '../posture.ts';

const PASSWORD_LINE = /^[\w-]{24}\n$/;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

let gateway: StartedGateway;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
});
afterAll(() => gateway.stop());

async function runAs(user: string, ...args: string[]) {
  const [username, password] = user.split(':') as [string, string];
  const env = { POSTURE_URL: gateway.url, POSTURE_USERNAME: username, POSTURE_PASSWORD: password };
  const terminal = recordingTerminal(env);
  const exitCode = await runPosture(['credentials', ...args], terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

const run = (...args: string[]) => runAs(gateway.credentialsOf('admin'), ...args);

/** Whether the service takes a password. */
const isGood = (username: string, password: string) =>
  TestClient.signIn(gateway.url, { username, password }).then(
    () => true,
    () => false,
  );

async function listed(): Promise<
  { id: string; username: string; role: string; lastUsedAt: string | null }[]
> {
  const { out } = await run('list', '--json');
  return JSON.parse(out).credentials;
}

describe('posture credentials', () => {
  it('creates a credential that signs in, with only the password on stdout, and the act in the audit trail', async () => {
    const { exitCode, out, err } = await run('create', 'scanner', '--role', 'analyst');
    expect(exitCode).toBe(0);
    expect(out).toMatch(PASSWORD_LINE);
    expect(err).toMatch(
      new RegExp(`^Created scanner \\(analyst, id ${UUID}\\); the password is shown only once:\n$`),
    );
    expect(await isGood('scanner', out.trim())).toBe(true);
    const admin = await gateway.client('admin');
    const acts = () => admin.all('/api/v3/audit?action=credential.created');
    await until('the act', async () => (await acts()).length > 0);
    expect(await acts()).toMatchObject([
      { user: 'admin', detail: { after: { username: 'scanner', role: 'analyst' } } },
    ]);
  });

  it('creates a credential for departments, and lists them', async () => {
    expect((await run('create', 'ana', '--role', 'viewer', '--department', 'Sales')).exitCode).toBe(0);
    expect((await run('list')).out).toMatch(/^ana +viewer +departments: Sales /m);
    expect((await run('delete', 'ana')).exitCode).toBe(0);
  });

  it('lists all of them, never a password, as text and as one JSON document', async () => {
    const text = await run('list');
    expect(text.exitCode).toBe(0);
    const lines = text.out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^User name +Role +Rows +Second factor +Created +Last sign-in +Id$/);
    expect(lines.slice(1).map((line) => line.split(/ +/).slice(0, 2))).toEqual([
      ['admin', 'admin'],
      ['analyst', 'analyst'],
      ['scanner', 'analyst'],
      ['viewer', 'viewer'],
    ]);
    expect(lines.at(-1)).toMatch(new RegExp(` never +${UUID}$`));
    const json = await run('list', '--json');
    expect(json.err).toBe('');
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, credentials: { length: 4 } });
    expect(json.out).not.toMatch(/password/i);
  });

  it('reads every page', async () => {
    const { pool } = gateway.database;
    await pool.query(
      `insert into credentials (id, username, password_hash, role, created_at)
       select gen_random_uuid(), 'many-' || n, password_hash, role, created_at
         from credentials, generate_series(1, 600) n where username = 'viewer'`,
    );
    expect(await listed()).toHaveLength(604);
    expect((await run('delete', 'many-600')).exitCode).toBe(0);
    expect(await listed()).toHaveLength(603);
    await pool.query(`delete from credentials where username like 'many-%'`);
  });

  it('rotates by user name and by id: the old password and its tokens end', async () => {
    const first = (await run('create', 'rotated', '--role', 'viewer')).out.trim();
    const before = await TestClient.signIn(gateway.url, { username: 'rotated', password: first });
    const byName = await run('rotate', 'rotated');
    expect(byName).toMatchObject({ exitCode: 0, out: expect.stringMatching(PASSWORD_LINE) });
    expect(await isGood('rotated', first)).toBe(false);
    expect((await before.request('GET', '/api/v3/findings')).status).toBe(401);
    const { id } = (await listed()).find(({ username }) => username === 'rotated')!;
    const byId = await run('rotate', id.toUpperCase(), '--json');
    const { ok, credential } = JSON.parse(byId.out);
    expect({ ok, err: byId.err }).toEqual({ ok: true, err: '' });
    expect(credential).toMatchObject({ id, username: 'rotated', role: 'viewer' });
    expect([
      await isGood('rotated', byName.out.trim()),
      await isGood('rotated', credential.password),
    ]).toEqual([false, true]);
  });

  it('says so if the rotated credential is the one that it signed in with', async () => {
    const password = (await run('create', 'second-admin', '--role', 'admin')).out.trim();
    const { exitCode, err } = await runAs(`second-admin:${password}`, 'rotate', 'second-admin');
    expect(exitCode).toBe(0);
    expect(err).toContain('set POSTURE_USERNAME and POSTURE_PASSWORD');
    expect((await run('delete', 'second-admin')).out).toMatch(/^Deleted second-admin \(admin, id /);
  });

  it('deletes, and its tokens end', async () => {
    const password = (await run('create', 'gone', '--role', 'viewer')).out.trim();
    const client = await TestClient.signIn(gateway.url, { username: 'gone', password });
    const { exitCode, out } = await run('delete', 'gone', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, credential: { username: 'gone', role: 'viewer' } });
    expect((await client.request('GET', '/api/v3/findings')).status).toBe(401);
    expect((await listed()).map(({ username }) => username)).not.toContain('gone');
  });

  it('removes a second factor, and marks the credential for emergencies', async () => {
    await run('create', 'emergency', '--role', 'admin');
    const { id } = (await listed()).find(({ username }) => username === 'emergency')!;
    await gateway.database.pool.query(
      `insert into second_factors (credential_id, secret, confirmed_at) values ($1, 'sealed', now())`,
      [id],
    );
    expect((await run('list')).out).toMatch(/^emergency +admin +all +yes /m);
    const removed = await run('second-factor', 'remove', 'emergency');
    expect(removed).toMatchObject({ exitCode: 0, out: 'Removed the second factor of emergency\n' });
    const again = await run('second-factor', 'remove', 'emergency');
    expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining('has no second factor') });
    const marked = await run('break-glass', 'emergency');
    expect(marked).toMatchObject({ exitCode: 0, out: 'emergency is the credential for emergencies\n' });
    expect((await run('list')).out).toMatch(/^emergency +admin \(break-glass\) +all +no /m);
    const unset = JSON.parse((await run('break-glass', 'emergency', '--unset', '--json')).out);
    expect(unset).toMatchObject({ ok: true, credential: { username: 'emergency', isBreakGlass: false } });
    expect((await run('delete', 'emergency')).exitCode).toBe(0);
  });

  it('touches nothing if a user name is the id of another', async () => {
    const { id } = (await listed()).find(({ username }) => username === 'viewer')!;
    await run('create', id, '--role', 'viewer');
    const { exitCode, err } = await run('delete', id);
    expect(exitCode).toBe(2);
    expect(err).toContain('is the id of one credential and the user name of another');
    expect((await listed()).filter((one) => one.id === id || one.username === id)).toHaveLength(2);
  });

  it('does not repeat a request without an answer: the name could be in use, with an unknown password', async () => {
    const asked: string[] = [];
    const service = createServer((request, response) => {
      if (request.url === '/api/v3/auth') return void response.end('{"accessToken":"token"}');
      asked.push(`${request.method} ${request.url}`);
      response.destroy();
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const env = { POSTURE_URL: `http://127.0.0.1:${port}`, POSTURE_USERNAME: 'ana', POSTURE_PASSWORD: 'x' };
    const terminal = recordingTerminal(env);
    try {
      const exitCode = await runPosture(['credentials', 'create', 'lost', '--role', 'viewer'], terminal);
      expect({ exitCode, out: terminal.out() }).toEqual({ exitCode: 1, out: '' });
      expect(terminal.err()).toMatch(/unreachable/);
      expect(asked).toEqual(['POST /api/v3/credentials']);
    } finally {
      service.close();
    }
  });

  it.each([
    [['create', 'scanner', '--role', 'viewer'], 1, /the user name scanner is already in use.* \(409\)/],
    [['create', 'two words', '--role', 'viewer'], 1, /username must be .* \(400\)/],
    [['delete', 'admin'], 1, /the last admin.* \(409\)/],
    [
      ['create', 'x', '--role', 'root'],
      1,
      /role must be admin, analyst, viewer or the name of a role .* \(400\)/,
    ],
    [['create', 'x'], 2, /required option '--role/],
    [['rotate', 'nobody'], 2, /no credential with user name or id nobody/],
    [['delete'], 2, /missing required argument/],
    [['burn'], 2, /unknown command/],
  ])('%j ends with %i', async (args, expected, message) => {
    const { exitCode, out, err } = await run(...args);
    expect({ exitCode, out }).toEqual({ exitCode: expected, out: '' });
    expect(err).toMatch(message);
  });

  it('gives a role that an admin made', async () => {
    const admin = await gateway.client('admin');
    const triage = JSON.stringify({ name: 'triage', scopes: ['findings:read', 'findings:accept'] });
    expect((await admin.request('POST', '/api/v3/roles', triage)).status).toBe(200);
    expect((await run('create', 'ben', '--role', 'triage')).exitCode).toBe(0);
    const { out } = await run('list', '--json');
    expect(JSON.parse(out).credentials).toContainEqual(
      expect.objectContaining({ username: 'ben', role: 'triage' }),
    );
  });

  it('requires the role admin, and reports errors as JSON too', async () => {
    const { exitCode, out, err } = await runAs(gateway.credentialsOf('analyst'), 'list', '--json');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    expect(JSON.parse(out)).toMatchObject({ ok: false, message: expect.stringContaining('(403)') });
  });

  it.each([[[]], [['list']], [['create']], [['rotate']], [['delete']]])('helps with %j', async (args) => {
    const { exitCode, out } = await run(...args, '--help');
    expect(exitCode).toBe(0);
    expect(out).toContain('Usage: posture credentials');
  });
});
