import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { ApiClient } from '../support/api-client.ts';
import { pageBlocks } from '../support/page-blocks.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { StartedGateway } from '../support/started-gateway.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const SCRIPT = fileOf('../../deploy/siem/ship-security-events.sh');
const RULES = fileOf('../../deploy/siem/sigma');
const MINUTE_MS = 60_000;
const QUIET = {
  'break-glass': 0,
  'guessed-password': 0,
  'password-guessing': 0,
  'password-spraying': 0,
  'scope-probing': 0,
  'second-factor-guessing': 0,
  'token-refused': 0,
};

let now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS;
let gateway: StartedGateway;
let admin: ApiClient;
let folder: string;
let python: string;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  admin = await gateway.client('admin');
  folder = await mkdtemp(join(tmpdir(), 'posture-siem-'));
  python = await pythonWith(fileOf('requirements.txt'));
  const { body } = await post('/api/v3/tokens', { name: 'siem', scopes: ['security-events:read'] });
  await writeFile(join(folder, 'token'), body.token);
}, PYTHON_MS_MAX);
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

const post = (path: string, given: object) => admin.request('POST', path, JSON.stringify(given));

async function signIn(user: string, password: string, address: string, code?: string): Promise<string> {
  const answer = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'x-forwarded-for': address,
      ...(code && { 'x-second-factor': code }),
    },
  });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

const read = (path: string, token: string, address: string) =>
  fetch(`${gateway.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  });

async function credential(username: string): Promise<{ id: string; password: string }> {
  return (await post('/api/v3/credentials', { username, role: 'viewer' })).body;
}

const ship = async (place: string, format: string, env: Record<string, string> = {}): Promise<string> => {
  const settings = { POSTURE_URL: gateway.url, POSTURE_TOKEN_FILE: join(folder, 'token'), ...env };
  const { stdout } = await run(SCRIPT, [join(folder, place), format], {
    env: { ...process.env, ...settings },
  });
  return stdout;
};

/** How many alerts each rule gives on the events since an instant. */
async function alerts(since: number): Promise<Record<string, number>> {
  await writeFile(join(folder, 'place'), new Date(since).toISOString());
  const events = await ship('place', 'ocsf');
  const detection = run(python, [fileOf('detect.py'), RULES]);
  detection.child.stdin!.end(events);
  return JSON.parse((await detection).stdout);
}

/**
 * The rules' events of one scene, in minutes of its own.
 * @param count of the events in all rows: a row is stored before its last event
 */
async function scene(acts: () => Promise<void>, rows: number, count = rows): Promise<Record<string, number>> {
  now += 2 * MINUTE_MS;
  const since = now;
  await acts();
  await until('all events', async () => {
    const from = new Date(since).toISOString();
    const stored: { count: number }[] = await admin.all(`/api/v3/security-events?from=${from}`);
    return stored.length >= rows && stored.reduce((sum, row) => sum + row.count, 0) >= count;
  });
  return alerts(since);
}

describe('the Sigma rules for security events', () => {
  it('find nothing in a usual day', async () => {
    const { password } = await credential('usual');
    const usual = async () => {
      await signIn('usual', 'mistyped', '192.0.2.1');
      const token = await signIn('usual', password, '192.0.2.1');
      expect((await read('/api/v3/assets', token, '192.0.2.1')).status).toBe(200);
      expect((await read('/api/v3/audit', token, '192.0.2.1')).status).toBe(403);
    };
    expect(await scene(usual, 3)).toEqual(QUIET);
  });

  it('find guesses, and the sign-in after them', async () => {
    const { password } = await credential('guessed');
    const guess = async () => {
      for (let i = 0; i < 12; i += 1) await signIn('guessed', `guess ${i}`, '192.0.2.2');
    };
    expect(await scene(guess, 2)).toEqual({ ...QUIET, 'password-guessing': 1 });
    const guessRight = async () => {
      now += 16 * MINUTE_MS;
      await guess();
      now += MINUTE_MS;
      await signIn('guessed', password, '192.0.2.99');
    };
    expect(await scene(guessRight, 3)).toMatchObject({ 'guessed-password': 1 });
  });

  it('find one address with many users', async () => {
    const spray = async () => {
      for (let i = 0; i < 10; i += 1) await signIn(`user-${i}`, 'Winter2026', '192.0.2.3');
    };
    expect(await scene(spray, 10)).toEqual({ ...QUIET, 'password-spraying': 1 });
  });

  it('find guessed codes of a second factor, and the use of the credential for emergencies', async () => {
    const { id, password } = await credential('with-a-phone');
    const session = { authorization: `Bearer ${await signIn('with-a-phone', password, '192.0.2.7')}` };
    const ask = async (path: string, given: object) => {
      const body = JSON.stringify(given);
      return (
        await fetch(`${gateway.url}/api/v3/second-factor${path}`, { method: 'POST', headers: session, body })
      ).json();
    };
    const { secret } = (await ask('', { password })) as { secret: string };
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await ask('/confirm', { code: totp.generate({ timestamp: now }) });
    const guess = async () => {
      // Of a step that is over.
      const code = totp.generate({ timestamp: now - 60 * MINUTE_MS });
      for (let i = 0; i < 6; i += 1) await signIn('with-a-phone', password, '192.0.2.7', code);
    };
    expect(await scene(guess, 1, 6)).toEqual({ ...QUIET, 'second-factor-guessing': 1 });
    await admin.request('DELETE', `/api/v3/credentials/${id}`);
    const emergency = await post('/api/v3/credentials', { username: 'emergency', role: 'admin' });
    await post(`/api/v3/credentials/${emergency.body.id}/break-glass`, {});
    const use = async () => {
      await signIn('emergency', emergency.body.password, '192.0.2.8');
    };
    expect(await scene(use, 2)).toEqual({ ...QUIET, 'break-glass': 1 });
  });

  it('find a revoked token, a foreign network, and a caller that tries everything', async () => {
    const revoked = async () => {
      const { id, password } = await credential('left');
      const token = await signIn('left', password, '192.0.2.4');
      await admin.request('DELETE', `/api/v3/credentials/${id}`);
      expect((await read('/api/v3/assets', token, '192.0.2.4')).status).toBe(401);
    };
    expect(await scene(revoked, 2)).toEqual({ ...QUIET, 'token-refused': 1 });
    const tokenOf = async (given: object) =>
      (await post('/api/v3/tokens', { scopes: ['assets:read'], ...given })).body.token as string;
    const foreign = async () => {
      const token = await tokenOf({ name: 'office', networks: ['203.0.113.0/24'] });
      expect((await read('/api/v3/assets', token, '192.0.2.5')).status).toBe(403);
    };
    expect(await scene(foreign, 1)).toEqual({ ...QUIET, 'token-refused': 1 });
    const probe = async () => {
      const token = await tokenOf({ name: 'curious' });
      for (let i = 0; i < 20; i += 1) {
        expect((await read('/api/v3/settings', token, '192.0.2.6')).status).toBe(403);
      }
      await until('all of them', async () => {
        const [row] = await admin.all('/api/v3/security-events?address=192.0.2.6');
        return row?.count === 20;
      });
    };
    expect(await scene(probe, 1)).toEqual({ ...QUIET, 'scope-probing': 1 });
  });
});

describe('ship-security-events.sh', () => {
  it('begins with the present, and then prints each event once', async () => {
    expect(await ship('new-place', 'syslog')).toBe('');
    const place = join(folder, 'new-place');
    expect(await readFile(place, 'utf8')).toMatch(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:00Z)\n\1\n$/);
    await writeFile(place, new Date(now - 120 * MINUTE_MS).toISOString());
    const lines = await ship('new-place', 'syslog');
    expect(lines).toMatch(/^<84>1 .* posture - signIn - \{/m);
    expect(await ship('new-place', 'syslog')).toBe('');
  });

  it.each(['ocsf', 'syslog', 'jsonl'])(
    'prints events that were stored late, each once: %s',
    async (format) => {
      const { pool } = gateway.database;
      const place = `late-${format}`;
      // Its quotes are escaped in the lines, so that it is no other event.
      const store = (minutesAgo: number) =>
        pool.query(
          `insert into security_events
           (id, minute, at, last_at, count, kind, outcome, reason, user_name, token, address, request_id)
         select gen_random_uuid(), date_trunc('minute', t), t, t, 1, 'signIn', 'refused', 'password', $2, '', $3, 'r'
           from (select now() - $1 * interval '1 minute' as t) late`,
          [minutesAgo, `"late","count":7,"metadata":{"version":"1","uid":"${minutesAgo}`, format],
        );
      const countOf = (lines: string) =>
        lines
          .split('\n')
          .filter((line) => line.includes('late'))
          .map((line) => /"count":(\d+)/.exec(line)![1]);
      expect(await ship(place, format)).toBe('');
      await store(10);
      expect(countOf(await ship(place, format))).toEqual(['1']);
      await pool.query(
        `update security_events set count = 2 where user_name like '%late%' and address = $1`,
        [format],
      );
      expect(countOf(await ship(place, format))).toEqual(['2']);
      await store(11);
      expect(countOf(await ship(place, format))).toEqual(['1']);
      expect(await ship(place, format)).toBe('');

      // After an outage of hours, gateways may store their events just after the first run that succeeds.
      await writeFile(join(folder, place), new Date(Date.now() - 180 * MINUTE_MS).toISOString());
      await ship(place, format);
      await store(150);
      expect(countOf(await ship(place, format))).toEqual(['1']);
      expect(await ship(place, format)).toBe('');
    },
  );

  it('keeps its place if the service is unavailable or rejects it', async () => {
    const place = join(folder, 'kept');
    const from = '2026-01-01T00:00:00Z\n';
    await writeFile(place, from);
    const gone = ship('kept', 'ocsf', { POSTURE_URL: 'http://127.0.0.1:9' });
    await expect(gone).rejects.toMatchObject({ code: 1, stdout: '' });
    await expect(ship('kept', 'cef')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('format must be one of'),
    });
    expect(await readFile(place, 'utf8')).toBe(from);
  });
});

it('docs/security.md sets it up so that only its user and root can read the token and the events', async () => {
  const root = join(folder, 'root');
  const [etc, bin] = [join(root, 'etc/posture'), join(root, 'bin')];
  for (const made of [etc, bin, join(root, 'etc/cron.d'), join(root, 'var/lib'), join(root, 'var/log')]) {
    await mkdir(made, { recursive: true });
  }
  await writeFile(join(bin, 'npx'), `#!/bin/sh\ncat ${join(folder, 'token')}\n`);
  await chmod(join(bin, 'npx'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const text = pageBlocks('docs/security.md')
    .find((block) => block.text.includes('/etc/cron.d'))!
    .text.replaceAll('https://posture.example.com', gateway.url)
    .replaceAll('/opt/posture/', fileOf('../../'))
    .replaceAll(/(?<=[ =])\/(?=etc|var)/g, `${root}/`)
    .replaceAll('-o posture', `-o ${process.getuid!()}`)
    .replaceAll('-g posture', `-g ${process.getgid!()}`);
  await run('sh', ['-ec', `umask 022\n${text}`], { env });
  const cron = await readFile(join(root, 'etc/cron.d/posture-siem'), 'utf8');
  const [, command] = /^(?:\S+ ){5}posture (.+)\n$/.exec(cron)!;
  await run('sh', ['-ec', `umask 022\n${command}`], { env });
  const modeOf = async (path: string) => ((await stat(join(root, path))).mode & 0o777).toString(8);
  expect(await modeOf('etc/posture/siem.token')).toBe('640');
  expect(await modeOf('var/lib/posture-siem')).toBe('750');
  expect(await modeOf('var/log/posture')).toBe('750');
  expect(await readFile(join(root, 'var/lib/posture-siem/place'), 'utf8')).not.toBe('');
});
