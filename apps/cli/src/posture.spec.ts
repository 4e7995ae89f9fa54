import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readZip } from '../../../test/fixtures/cli/read-zip.ts';
import { recordingTerminal, SimulatedService } from '../../../test/fixtures/cli/simulated-service.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { SERVER_URL_VARIABLE, withDatabase } from '../../../test/support/test-server.ts';
import { runPosture } from './posture.ts';

const signal = (name: string, more: object = {}) =>
  JSON.stringify({ id: '09d34300-4c54-4e5e-9050-fff5d912cb19', entity: { type: 'machine', name }, ...more });

/** Runs the built command line as a separate process. */
const LAUNCHER = fileURLToPath(new URL('../posture.js', import.meta.url));

describe('posture upload', () => {
  let service: SimulatedService;
  let env: Record<string, string>;
  let dir: string;

  beforeEach(async () => {
    service = new SimulatedService();
    dir = await mkdtemp(join(tmpdir(), 'posture-cli-'));
    const url = await service.start();
    env = { POSTURE_URL: url, POSTURE_USERNAME: 'ana', POSTURE_PASSWORD: 'correct-horse' };
  });
  afterEach(async () => {
    await service.stop();
    await rm(dir, { recursive: true });
  });

  async function run(...args: string[]) {
    const terminal = recordingTerminal(env);
    const exitCode = await runPosture(args, terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  async function files(contents: Record<string, string | Buffer>): Promise<string[]> {
    const paths = [];
    for (const [name, content] of Object.entries(contents)) {
      const path = join(dir, name);
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, content);
      paths.push(path);
    }
    return paths;
  }

  it('packs JSON files and directories into one ZIP, waits for the fold and prints the outcome', async () => {
    await files({
      'in/a.json': signal('web01.acme.com'),
      'in/deep/b.JSON': `\uFEFF${signal('WEB01')}`,
      'in/.hidden.json': 'no',
      'in/notes.txt': 'no',
      'a.json': signal('db01'),
    });
    const { exitCode, out, err } = await run('upload', join(dir, 'in'), join(dir, 'a.json'));
    expect(exitCode).toBe(0);
    const zip = await readZip(service.received[0]!.zip);
    expect([...zip.keys()]).toEqual(['a.json', 'deep/b.JSON', 'a-2.json']);
    expect(out).toContain('Accepted   3 signals in 1 ZIP');
    expect(out).toContain('Findings   2 created, 0 updated, 0 unchanged, 0 retired');
    expect(out).toContain('Ignored    1 expired');
    expect(out).toContain('team');
    expect(err).toContain('Folding: 3 of 3 signals');
    expect(out + err).not.toContain('correct-horse');
  });

  it('prints nothing but one JSON document with --json', async () => {
    const paths = await files({ 'a.json': signal('a') });
    const { exitCode, out, err } = await run('upload', '--json', ...paths);
    expect(exitCode).toBe(0);
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      folded: true,
      zips: [{ uploadId: 'upload-1', accepted: 3 }],
      outcome: { created: 2, assetsCreated: 1, ignored: { expired: 1 } },
      unrecognisedTags: ['team'],
    });
  });

  it('packs the settings of its flags as config.json (R-ZIP-3)', async () => {
    const paths = await files({ 'a.json': signal('a') });
    const flags = ['--replace', 'VA, edr', '--no-import-assets', '--allow-override', '--no-update-metadata'];
    expect(await run('upload', ...flags, ...paths)).toMatchObject({ exitCode: 0 });
    const zip = await readZip(service.received[0]!.zip);
    expect(JSON.parse(zip.get('config.json')!)).toEqual({
      fullAssessmentForTypes: ['va', 'edr'],
      shouldImportAssets: false,
      shouldAllowOverrideAFControl: true,
      shouldUpdateExistingAssetsMetadata: false,
    });
  });

  it('packs --config unchanged, and no config.json without options', async () => {
    const config = '{ "shouldImportAssets" : false }';
    await files({ 'in/a.json': signal('a'), 'in/config.json': config });
    expect(await run('upload', '--config', join(dir, 'in/config.json'), join(dir, 'in'))).toMatchObject({
      exitCode: 0,
    });
    expect((await readZip(service.received[0]!.zip)).get('config.json')).toBe(config);
    await run('upload', join(dir, 'in/a.json'));
    expect([...(await readZip(service.received[1]!.zip)).keys()]).toEqual(['a.json']);
  });

  it('neither treats a config.json among the signals as a signal, nor applies it implicitly', async () => {
    await files({ 'in/a.json': signal('a'), 'in/config.json': '{}' });
    const { exitCode, err } = await run('upload', join(dir, 'in'));
    expect(exitCode).toBe(2);
    expect(err).toContain('--config');
    expect(service.received).toEqual([]);
  });

  it('packs the example signals', async () => {
    const folder = fileURLToPath(new URL('../../../examples', import.meta.url));
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    expect(await run('upload', ...names.map((name) => join(folder, name)))).toMatchObject({ exitCode: 0 });
    const zip = await readZip(service.received[0]!.zip);
    expect(names.length).toBeGreaterThan(3);
    expect([...zip.keys()].sort()).toEqual(names.sort());
  });

  it('sends a given ZIP unchanged, after the packed ones and one at a time (spec point 6)', async () => {
    const ready = Buffer.from('PK whatever');
    const paths = await files({ 'ready.zip': ready, 'a.json': signal('a') });
    expect(await run('upload', ...paths)).toMatchObject({ exitCode: 0 });
    expect(service.received).toHaveLength(2);
    expect(service.received[1]!.zip).toEqual(ready);
    expect(service.received[0]!.idempotencyKey).not.toBe(service.received[1]!.idempotencyKey);
    expect(service.concurrentMax).toBe(1);
  });

  it.each([
    [['--replace', 'va']],
    [['--no-import-assets']],
    [['--allow-override']],
    [['--no-update-metadata']],
  ])('rejects %j with a ready ZIP, which they would not reach', async (flags) => {
    const paths = await files({ 'ready.zip': 'PK whatever', 'a.json': signal('a') });
    const { exitCode, err } = await run('upload', ...flags, ...paths);
    expect(exitCode).toBe(2);
    expect(err).toMatch(/nothing was sent: .*ready\.zip is sent unchanged[\s\S]*config\.json inside the ZIP/);
    expect(service.signIns).toEqual([]);
  });

  it('rejects --config with a ready ZIP', async () => {
    const [config, ready] = await files({ 'config.json': '{}', 'ready.zip': 'PK whatever' });
    expect(await run('upload', '--config', config!, ready!)).toMatchObject({ exitCode: 2 });
    expect(service.signIns).toEqual([]);
  });

  it.each([
    ['is no JSON', '{"secretword": tru', /is not JSON: \w.* at line 1, column \d+/],
    ['is an array', '[]', /contains an array/],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8/],
    ['names no entity', '{"entity":{"type":"file","name":"x"}}', /has no entity/],
    ['is too large', `{"a":"${'x'.repeat(1_048_576)}"}`, /larger than 1 MB/],
  ])(
    'reports a file that %s before anything is sent, without quoting it',
    async (_what, content, expected) => {
      const paths = await files({ 'a.json': signal('a'), 'bad.json': content });
      const { exitCode, err } = await run('upload', ...paths);
      expect(exitCode).toBe(2);
      expect(err).toMatch(expected);
      expect(err).toContain('bad.json');
      expect(err).not.toContain('secretword');
      expect(service.signIns).toEqual([]);
    },
  );

  it('skips such files with --skip-invalid, unless that would retire findings (R-ZIP-6)', async () => {
    const paths = await files({ 'a.json': signal('a'), 'bad.json': '{' });
    const skipped = await run('upload', '--skip-invalid', ...paths);
    expect(skipped.exitCode).toBe(0);
    expect(skipped.out).toMatch(/Skipped {4}.*bad\.json is not JSON/);
    expect(service.received[0]!.url).toContain('invalid=skip');
    const replacing = await run('upload', '--skip-invalid', '--replace', 'va', ...paths);
    expect(replacing.exitCode).toBe(2);
    expect(replacing.err).toContain('retires its findings');
    expect(service.received).toHaveLength(1);
  });

  it('prints the entries of a 400 and exits 1, as JSON too', async () => {
    const paths = await files({ 'a.json': signal('a') });
    const errors = [{ entry: 'a.json', field: 'name', message: 'expected a string' }];
    const refused = { status: 400, body: { statusCode: 400, message: '1 entry is malformed', errors } };
    service.script.push(refused, refused);
    const text = await run('upload', ...paths);
    expect(text.exitCode).toBe(1);
    expect(text.err).toContain('(400): 1 entry is malformed');
    expect(text.err).toContain('a.json: name: expected a string');
    const json = await run('upload', '--json', ...paths);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, details: ['a.json: name: expected a string'] });
    expect(json.err).toBe('');
  });

  it('reports that everything is stored if the outcome cannot be read', async () => {
    const paths = await files({ 'a.zip': 'PK a', 'b.zip': 'PK b' });
    service.statusScript.push({ status: 403, body: { statusCode: 403, message: 'not yours' } });
    const { exitCode, err } = await run('upload', ...paths);
    expect(exitCode).toBe(1);
    expect(err).toContain('the outcome of upload upload-1 cannot be read (403): not yours');
    expect(err).toContain('all signals are stored; uploads: upload-1, upload-2');
  });

  it('says what went in before a ZIP that cannot be sent', async () => {
    const paths = await files({ 'a.zip': 'PK a', 'b.zip': 'PK b', 'c.zip': 'PK c' });
    const taken = { uploadId: 'monday', accepted: 1, ignored: 0, rejected: 0, errors: [], warnings: [] };
    const expired = { status: 401, body: { statusCode: 401, message: 'expired' } };
    service.script.push({ status: 200, body: taken }, expired, expired);
    const { exitCode, err } = await run('upload', ...paths);
    expect(exitCode).toBe(1);
    expect(err).toContain('the service rejected a new access token');
    expect(err).toMatch(
      /1 of 3 ZIPs were stored \(uploads: monday\) before .*b\.zip; 1 later ZIPs were not sent/,
    );
  });

  it('splits an entity over ZIPs if findings are added, and rejects that if they are replaced (R-CLI-3)', async () => {
    const noise = () => randomBytes(700_000).toString('base64');
    const large = Array.from({ length: 8 }, (_, n) => [`${n}.json`, signal('big', { noise: noise() })]);
    const paths = await files(Object.fromEntries(large));
    const added = await run('upload', ...paths);
    expect(added.exitCode).toBe(0);
    expect(added.out).toContain('machine:big does not fit in one ZIP');
    expect(service.received).toHaveLength(2);
    const entries = await Promise.all(
      service.received.map(async ({ zip }) => [...(await readZip(zip)).keys()]),
    );
    expect(entries.flat()).toEqual(large.map(([name]) => name));
    const replaced = await run('upload', '--replace', 'va', ...paths);
    expect(replaced.exitCode).toBe(2);
    expect(replaced.err).toContain('machine:big does not fit in 5 MB');
    expect(service.received).toHaveLength(2);
  });

  it('does not wait with --wait 0', async () => {
    const paths = await files({ 'a.json': signal('a') });
    const { exitCode, out } = await run('upload', '--wait', '0', ...paths);
    expect(exitCode).toBe(0);
    expect(out).toContain('uploads: upload-1');
  });

  it('uses the credentials of the first start on this machine, and never sends them elsewhere', async () => {
    const paths = await files({ 'a.json': signal('a') });
    await files({ 'initial-credentials': 'username=admin\npassword=first=1\n' });
    env = { POSTURE_URL: env.POSTURE_URL!, DATA_DIR: dir };
    expect(await run('upload', ...paths)).toMatchObject({ exitCode: 0 });
    expect(service.signIns).toEqual([`Basic ${Buffer.from('admin:first=1').toString('base64')}`]);
    service.authScript.push({ status: 401, body: { statusCode: 401, message: 'rotated' } });
    const rotated = await run('upload', ...paths);
    expect(rotated.exitCode).toBe(1);
    expect(rotated.err).toContain(
      `the credentials of the first start, from ${join(dir, 'initial-credentials')}: set`,
    );
    const elsewhere = await run('upload', '--url', 'http://posture.invalid', ...paths);
    expect(elsewhere.exitCode).toBe(2);
    expect(elsewhere.err).toContain('POSTURE_USERNAME');
  });

  it.each([
    [['upload', 'missing.json'], /missing\.json does not exist/],
    [['upload', '--wait', 'soon', 'x'], /integer/],
    [['upload', '--replace', 'virus', 'x'], /--replace must be a comma-separated list/],
    [['upload', '--url', 'http://u:hunter2@h', 'x'], /must not contain a user name/],
    [['upload'], /missing required argument/],
    [['sing'], /unknown command/],
  ])('exits 2 on %j', async (args, expected) => {
    const { exitCode, err } = await run(...args);
    expect(exitCode).toBe(2);
    expect(err).toMatch(expected);
    expect(err).not.toContain('hunter2');
  });

  it.each([
    [['explain', 'x', '--as-of', 'x'], /^option '--as-of <instant>' argument 'x' is invalid/],
    [['upload'], /^missing required argument/],
    [['sing'], /^unknown command 'sing'/],
  ])('prints one JSON document for the wrong call %j', async (args, message) => {
    const { exitCode, out } = await run(...args, '--json');
    const expected = { ok: false, message: expect.stringMatching(message), details: [] };
    expect([exitCode, JSON.parse(out)]).toEqual([2, expected]);
  });

  it('prints one JSON document also for a database that does not exist, and for an unknown error', async () => {
    const server = withDatabase(process.env[SERVER_URL_VARIABLE]!, 'postrue');
    const terminal = recordingTerminal({ DATABASE_URL: server });
    expect(await runPosture(['verify', '--json'], terminal)).toBe(1);
    expect(JSON.parse(terminal.out())).toMatchObject({
      ok: false,
      message: expect.stringContaining('database "postrue" does not exist'),
    });
    const broken = recordingTerminal({
      get DATABASE_URL(): string {
        throw new Error('a bug');
      },
    });
    await expect(runPosture(['verify', '--json'], broken)).rejects.toThrow('a bug');
    expect(JSON.parse(broken.out())).toEqual({ ok: false, message: 'a bug', details: [] });
  });

  it.each([[['--help']], [['upload', '--help']], [['demo', '--help']]])('helps with %j', async (args) => {
    const { exitCode, out } = await run(...args);
    expect(exitCode).toBe(0);
    expect(out).toContain('Usage: posture');
    // A default that is an instant is said in words.
    expect(out).not.toMatch(/\d{12,}/);
  });

  it('prints the version of the project with --version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(await run('--version')).toEqual({ exitCode: 0, out: `posture ${version}\n`, err: '' });
  });

  it('describes every meaning of exit code 1', async () => {
    const { out } = await run('--help');
    for (const call of ['verify', 'report --check', 'convert --strict', 'as-of --asset']) {
      expect(out.slice(out.indexOf('Exit codes:'))).toContain(call);
    }
  });

  it('sends the demo of a small organization, and writes the same ZIPs to a directory', async () => {
    const size = ['--machines', '12', '--users', '3', '--day', '2026-05-31'];
    const sent = await run('demo', ...size);
    expect(sent).toMatchObject({ exitCode: 0 });
    expect(sent.out).toContain('first full upload');
    expect(await run('demo', ...size, '--write', dir)).toMatchObject({ exitCode: 0 });
    const names = ['day1-001.zip', 'day2-001.zip', 'day2-rescan-001.zip'];
    const written = await Promise.all(names.map((name) => readFile(join(dir, name))));
    expect(service.received.map(({ zip }) => zip.toString('base64'))).toEqual(
      written.map((zip) => zip.toString('base64')),
    );
    const again = await run('demo', ...size, '--write', dir);
    expect(again.exitCode).toBe(2);
    expect(again.err).toContain('already exists');
  });

  it('prints one JSON document with the ZIPs of a demo', async () => {
    const size = ['--machines', '12', '--users', '3', '--day', '2026-05-31'];
    const { exitCode, out } = await run('demo', ...size, '--write', dir, '--json');
    const names = ['day1-001.zip', 'day2-001.zip', 'day2-rescan-001.zip'];
    expect([exitCode, JSON.parse(out)]).toEqual([
      0,
      { ok: true, zips: names.map((name) => join(dir, name)) },
    ]);
  });

  it('refuses a file as the directory of a demo', async () => {
    const [path] = await files({ taken: 'a file' });
    expect(await run('demo', '--write', path!)).toEqual({
      exitCode: 2,
      out: '',
      err: `posture: cannot create directory ${path} (EEXIST)\n`,
    });
  });

  it.each([
    [['--days', '6'], 'Expected an integer from 7 to 365'],
    [['--days', '30', '--write', 'zips'], '--days writes into the log of a site: omit --write and --url'],
    [['--days', '30', '--machines', '6000'], '--days writes at most 5000 machines and users'],
    [['--days', '30', '--day', '2999-01-01'], '--day must be before today'],
    [['--day', '2026-02-30'], 'Expected a date such as 2026-05-31.'],
  ])('refuses a demo with %j', async (args, message) => {
    const { exitCode, err } = await run('demo', ...args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('names --day if the past of a demo was begun on another day (R-CLI-5)', async () => {
    const site = await testDatabase();
    try {
      env = { DATABASE_URL: site.url, DATA_DIR: dir };
      const size = ['--days', '7', '--machines', '1', '--users', '0'];
      expect(await run('demo', ...size, '--day', '2026-05-30')).toMatchObject({ exitCode: 0 });
      const { exitCode, err } = await run('demo', ...size, '--day', '2026-05-31');
      expect([exitCode, err]).toEqual([2, expect.stringMatching(/ on an earlier day, .* --day/)]);
    } finally {
      await site.drop();
    }
  });

  it('says that the demo waits for a service that is busy', async () => {
    service.script.push({ status: 429, body: { statusCode: 429, message: '1' } });
    const { exitCode, err } = await run('demo', '--machines', '1', '--users', '0', '--wait', '0');
    expect(exitCode).toBe(0);
    expect(err).toContain('the service is busy (429); retry in 1.0 s');
  });

  it('ends quietly if the reader of its output closes the pipe', async () => {
    const child = spawn(process.execPath, [LAUNCHER, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
    });
    const [code] = await once(child, 'close');
    expect([code, err]).toEqual([0, '']);
  });

  it('says how to build if nothing is built', async () => {
    const launcher = join(dir, 'apps/cli/posture.mjs');
    await mkdir(join(dir, 'apps/cli'), { recursive: true });
    await copyFile(LAUNCHER, launcher);
    const failed = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
      execFile(process.execPath, [launcher], (error, _out, stderr) => resolve({ code: error?.code, stderr })),
    );
    expect(failed).toEqual({
      code: 2,
      stderr: 'posture is not built yet: run npm install && npm run build, then try again.\n',
    });
  });
});
