import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { runPosture } from '../posture.ts';

let gateway: StartedGateway;
let dir: string;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
  dir = await mkdtemp(join(tmpdir(), 'posture-dry-run-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(dir, { recursive: true });
});

async function run(...args: string[]) {
  const [POSTURE_USERNAME, POSTURE_PASSWORD] = gateway.credentialsOf('analyst').split(':');
  const terminal = recordingTerminal({ POSTURE_URL: gateway.url, POSTURE_USERNAME, POSTURE_PASSWORD });
  const exitCode = await runPosture(['upload', ...args], terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

/** Fails if the call changes the log. */
async function dryRun(...args: string[]) {
  const before = await gateway.logSize();
  const result = await run('--dry-run', ...args);
  expect(await gateway.logSize()).toBe(before);
  return result;
}

async function file(name: string, content: unknown): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return path;
}

const passing = {
  securityContext: { type: 'va', status: { complianceStatus: 'pass' }, severity: { value: 5 } },
};

describe('posture upload --dry-run', () => {
  it('prints what would be created, updated, retired and ignored, and the upload gives the same result', async () => {
    const [kept, moved, gone] = ['kept', 'moved', 'gone'].map((name) => plainSignal(name, 'd01'));
    const first = await zipOf({ '1.json': kept, '2.json': moved, '3.json': gone });
    expect((await run(await file('first.zip', first))).exitCode).toBe(0);
    const files = await Promise.all([
      file('a.json', kept),
      file('b.json', plainSignal('moved', 'd01', passing)),
      file('c.json', plainSignal('late', 'd01', { expiresAt: '2020-01-01T00:00:00Z' })),
      file('d.json', plainSignal('new', 'd02')),
    ]);
    const { exitCode, out } = await dryRun('--replace', 'va', ...files);
    expect(exitCode).toBe(0);
    expect(out.split('\n')).toEqual([
      'Dry run    4 signals in 1 ZIP would be accepted; nothing was stored',
      'Findings   1 created, 1 updated, 1 unchanged, 1 retired',
      'Assets     1 created, 0 updated',
      'Ignored    1 expired',
      'Would be:',
      '  stateChanged d01: moved (va), Failed → Qualified',
      '  ignored      d01: late (va), expired',
      '  retired      d01: gone (va), Failed → Retired, replaced',
      '  created      d02: new (va), Failed',
      '',
    ]);
    const sent = await run('--replace', 'va', ...files);
    expect(sent.out.split('\n').slice(1, 4)).toEqual(out.split('\n').slice(1, 4));
  });

  it('shows the first 20 findings, and all with --json', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 25 }, (_, n) => [`${n}.json`, plainSignal(`many ${n}`, 'd03')]),
    );
    const path = await file('many.zip', await zipOf(many));
    const text = await dryRun(path);
    expect(text.out.match(/^ {2}created/gm)).toHaveLength(20);
    expect(text.out).toContain('… and 5 more (--json shows all)');
    const json = await dryRun('--json', path);
    expect(json.err).toBe('');
    const answer = JSON.parse(json.out);
    expect(answer).toMatchObject({
      ok: true,
      dryRun: true,
      zips: [{ zip: path, accepted: 25 }],
      outcome: { created: 25, assetsCreated: 1 },
      findingsLeftOut: 0,
      sharedEntities: [],
    });
    expect(answer.findings).toHaveLength(25);
    expect(answer.findings[0]).toMatchObject({ asset: 'd03', would: 'created', to: 'Failed' });
  });

  it('sums ZIPs, counts entries that the service does not list, and names the entities that they share', async () => {
    const hosts = Object.fromEntries(
      Array.from({ length: 1_100 }, (_, n) => [`${n}.json`, plainSignal(`x ${n}`, `e${n % 11}`)]),
    );
    const large = await file('large.zip', await zipOf({ ...hosts, 'config.json': {}, '.DS_Store': 'x' }));
    const other = await file(
      'other.zip',
      await zipOf({ 'a.JSON': plainSignal('x 0', 'E3.halden.example'), 'b.json': plainSignal('y', 'alone') }),
    );
    const apart = await dryRun(large, await file('apart.json', plainSignal('z', 'apart')));
    expect(apart.out).toContain('Findings   1101 created');
    expect(apart.out).not.toContain('Note');
    const { out } = await dryRun(large, other);
    expect(out).toContain('1102 signals in 2 ZIPs');
    expect(out).toContain('… and 1082 more (--json shows more)');
    expect(out).toMatch(
      /without the ZIPs before it;[\s\S]*Entities in more than one ZIP:\n {2}machine:e3\n$/,
    );
    const json = JSON.parse((await dryRun('--json', large, other)).out);
    expect(json).toMatchObject({ findingsLeftOut: 100, sharedEntities: ['machine:e3'] });
    expect(json.findings).toHaveLength(1_002);
  });

  it('says what would be rejected, entry by entry, with exit 1; and what would be left out', async () => {
    const path = await file(
      'bad.zip',
      await zipOf({ 'good.json': plainSignal('a', 'd04'), 'bad.json': '{' }),
    );
    const { exitCode, err } = await dryRun(path);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/bad\.zip would be rejected \(400\)[\s\S]*bad\.json/);
    const skipping = await dryRun('--skip-invalid', path);
    expect(skipping.exitCode).toBe(0);
    expect(skipping.out).toMatch(
      /^Dry run {4}1 signals in 1 ZIP[\s\S]*^Skipped {4}1 invalid signals:\n {2}bad\.json/m,
    );
    const json = await dryRun('--json', path);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, details: [expect.stringMatching(/^bad\.json/)] });
  });

  it('prints no control characters of a sender', async () => {
    const tags = { '\u001b[2Jteam': ['x'] };
    const entity = { type: 'machine', name: 'd05', entityAttributes: { tags } };
    const path = await file('evil.json', plainSignal('\u001b[2Jweak', 'd05', { entity }));
    const bad = await file(
      'bad-name.zip',
      await zipOf({ '\u001b[2Jbad.json': '{', 'good.json': plainSignal('a', 'd06') }),
    );
    const outputs = [
      await dryRun(path),
      await run(path),
      await dryRun(bad),
      await run(bad),
      await dryRun('--skip-invalid', bad),
      await run('--skip-invalid', bad),
    ];
    for (const { out, err } of outputs) {
      expect(out + err).toMatch(/\ufffd\[2J(team|bad\.json)/);
      expect(out + err).not.toContain('\u001b');
    }
  });
});
