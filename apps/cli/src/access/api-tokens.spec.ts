import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { runPosture } from '../posture.ts';

const TOKEN_LINE = /^posture_[\w-]{43}\n$/;

let gateway: StartedGateway;
let folder: string;

beforeAll(async () => {
  gateway = await StartedGateway.start();
  folder = await mkdtemp(join(tmpdir(), 'posture-tokens-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

async function runWith(env: Record<string, string>, ...args: string[]) {
  const terminal = recordingTerminal({ POSTURE_URL: gateway.url, ...env });
  const exitCode = await runPosture(args, terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

const run = (...args: string[]) => {
  const [username, password] = gateway.credentialsOf('admin').split(':') as [string, string];
  return runWith({ POSTURE_USERNAME: username, POSTURE_PASSWORD: password }, 'api-tokens', ...args);
};

const statusOf = async (token: string) =>
  (await fetch(`${gateway.url}/api/v3/uploads`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('posture api-tokens', () => {
  it('creates a token with scopes, networks and an expiry, alone on stdout', async () => {
    const { exitCode, out, err } = await run(
      ...['create', 'scanner', '--scope', 'uploads:read', 'assets:read'],
      ...['--network', '127.0.0.0/8', '::1', '--expires-in', '90'],
    );
    expect([exitCode, out]).toEqual([0, expect.stringMatching(TOKEN_LINE)]);
    expect(err).toMatch(
      /^Created scanner \(uploads:read, assets:read; id [\w-]{36}\)\. It is shown only once:\n$/,
    );
    expect(await statusOf(out.trim())).toBe(200);
  });

  it('creates a token for departments and locations, and lists them', async () => {
    const { exitCode } = await run(
      ...['create', 'sales', '--scope', 'assets:read', '--department', 'Sales', 'R&D', '--location', 'Kiel'],
    );
    expect(exitCode).toBe(0);
    expect((await run('list')).out).toMatch(
      /^sales +assets:read +any +departments: Sales, R&D; locations: Kiel /m,
    );
    expect((await run('revoke', 'sales')).exitCode).toBe(0);
  });

  it('lists them as text and as one JSON document, never a token', async () => {
    const { out } = await run('list');
    expect(out.split('\n')[0]).toMatch(/^Name +Scopes +Networks +Rows +Expires +Last use +Id$/);
    expect(out.split('\n')[1]).toMatch(
      /^scanner +uploads:read,assets:read +127\.0\.0\.0\/8,::1 +all +\d{4}-.+Z +\S+ +[\w-]{36}$/,
    );
    const json = await run('list', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, apiTokens: [{ name: 'scanner' }] });
    expect(out + json.out).not.toContain('posture_');
  });

  it('rotates with an overlap, by name or id, and revokes', async () => {
    const first = (await run('create', 'rotated', '--scope', 'uploads:read')).out.trim();
    const second = await run('rotate', 'rotated', '--overlap', '60');
    expect(second.err).toMatch(/^New token of rotated .*; the previous token is valid until \d{4}-.*Z\. /);
    expect([await statusOf(first), await statusOf(second.out.trim())]).toEqual([200, 200]);
    const { id } = JSON.parse((await run('list', '--json')).out).apiTokens[0];
    const third = await run('rotate', id, '--overlap', '0', '--json');
    expect(JSON.parse(third.out)).toMatchObject({ ok: true, apiToken: { id, previousUntil: null } });
    expect(await statusOf(first)).toBe(401);
    expect((await run('revoke', 'rotated')).out).toBe(`Revoked rotated (id ${id})\n`);
    expect(await statusOf(JSON.parse(third.out).apiToken.token)).toBe(401);
  });

  it.each([
    [['create', 'x', '--scope', 'everything'], /--scope/],
    [['create', 'x'], /--scope/],
    [
      ['create', 'x', '--scope', 'uploads:read', '--expires-in', '0'],
      /--expires-in must be an integer from 1 to 3650/,
    ],
    [
      ['rotate', 'scanner', '--overlap', '604801'],
      /--overlap must be an integer from 0 to 604800 \(got 604801\)/,
    ],
    [['rotate', 'unknown'], /no API token with name or id unknown/],
    [['revoke', 'unknown'], /no API token with name or id unknown/],
  ])('%j exits with 2 and a sentence', async (args, message) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, err: expect.stringMatching(message) });
  });

  it('exits with 1 if the service rejects the request', async () => {
    expect(await run('create', 'x', '--scope', 'uploads:read', '--network', 'nowhere')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('networks must be a list of addresses or networks'),
    });
  });
});

describe('POSTURE_TOKEN', () => {
  it('signs requests instead of a user name and a password, also from a file', async () => {
    const token = (await run('create', 'reader', '--scope', 'credentials:read')).out;
    const path = join(folder, 'token');
    await writeFile(path, token);
    for (const env of [{ POSTURE_TOKEN: token.trim() }, { POSTURE_TOKEN_FILE: path }] as Record<
      string,
      string
    >[]) {
      expect((await runWith(env, 'credentials', 'list')).exitCode).toBe(0);
    }
    expect(
      await runWith({ POSTURE_TOKEN: token.trim() }, 'credentials', 'create', 'x', '--role', 'viewer'),
    ).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('requires the scope credentials:write'),
    });
  });

  it('that is wrong exits with 1; beside a password, or with white space, with 2', async () => {
    expect(await runWith({ POSTURE_TOKEN: 'posture_wrong' }, 'credentials', 'list')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('401'),
    });
    expect(
      await runWith(
        { POSTURE_TOKEN: 'x', POSTURE_USERNAME: 'ana', POSTURE_PASSWORD: 'x' },
        'credentials',
        'list',
      ),
    ).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('set POSTURE_TOKEN, or POSTURE_USERNAME and'),
    });
    expect(await runWith({ POSTURE_TOKEN: 'a b' }, 'credentials', 'list')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('POSTURE_TOKEN must be a token without white space'),
    });
  });
});
