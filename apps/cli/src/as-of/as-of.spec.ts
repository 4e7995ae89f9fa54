import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake, partitionOf } from '#libs/contracts';
import { assetId, findingId, readingAt } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { DAY_MS, entity, event, signal, T0, upload } from '../../../../test/support/scenario.ts';
import { runPosture } from '../posture.ts';
import type { AsOfLine } from './as-of-line.ts';

const PARTITIONS = 2;
const HOSTS = ['web02', 'web01', 'db01', 'Zeta', 'mail01'];

const at = (days: number) => T0 + days * DAY_MS;
const instant = (days: number) => new Date(at(days)).toISOString();
const assetOf = (host: string) => assetId(`machine:${host}`);

let site: TestDatabase;
let dir: string;
let file: string;

beforeAll(async () => {
  site = await testDatabase();
  dir = await mkdtemp(join(tmpdir(), 'posture-as-of-'));
  file = join(dir, 'site.posture-log');
  await withLog(async (log) => {
    await openLog(site.db, log, () => readingAt(T0));
    const of = (host: string) => ({ entity: entity({ name: host }) });
    const key = (host: string) => ({ entityKey: `machine:${host}` });
    const events = [
      ...HOSTS.flatMap((host, n) =>
        upload(
          n,
          at(1),
          [signal('open port', 'fail', of(host)), signal('old kernel', 'pass', of(host))],
          key(host),
        ),
      ),
      ...HOSTS.flatMap((host, n) =>
        upload(10 + n, at(3), [signal('weak cipher', 'fail', { ...of(host), expiresAt: at(5) })], key(host)),
      ),
      event(
        { type: 'AssetDeleted', assetId: assetOf('mail01'), seenVersion: null },
        at(4),
        {},
        key('mail01'),
      ),
    ];
    await log.append(
      INTAKE_TOPIC,
      events.map((one) => ({ key: one.envelope.entityKey, value: encodeIntake(one) })),
    );
    await log.append(INTAKE_TOPIC, [{ key: 'machine:web01', value: Buffer.from([0, 0, 0, 0, 1, 255]) }]);
  });
  expect(await run('export-log', file)).toMatchObject({ exitCode: 0 });
});
afterAll(async () => {
  await site.drop();
  await rm(dir, { recursive: true });
});

async function withLog<T>(work: (log: PostgresEventLog) => Promise<T>, { url } = site): Promise<T> {
  const log = new PostgresEventLog({ url, partitions: PARTITIONS });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

async function run(...args: string[]) {
  return runIn({ DATABASE_URL: site.url }, ...args);
}

async function runIn(env: Record<string, string>, ...args: string[]) {
  const terminal = recordingTerminal(env);
  const exitCode = await runPosture(args, terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

async function lines(...args: string[]): Promise<AsOfLine[]> {
  const { exitCode, out, err } = await run('as-of', ...args);
  expect([exitCode, err]).toEqual([0, expect.stringMatching(/^Folding: \d+ records\n.*\d+ a second\n$/s)]);
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const findingsOf = ({ findings }: AsOfLine) => findings.map(({ name, state }) => `${name} ${state}`);

describe('posture as-of', () => {
  it('prints each live asset with its findings, by partition and name, as of the instant', async () => {
    const known = await lines(instant(2));
    const inOrder = HOSTS.map((host) => [partitionOf(`machine:${host}`, PARTITIONS), host] as const).sort(
      ([p, a], [q, b]) => p - q || (a < b ? -1 : 1),
    );
    expect(known.map(({ asset }) => asset.name)).toEqual(inOrder.map(([, host]) => host));
    for (const line of known) {
      expect(findingsOf(line)).toEqual(['open port Failed', 'old kernel Qualified']);
      expect(line.asset.findings).toEqual({ failed: 1, qualified: 1, accepted: 0, notAssessed: 0 });
      expect(line.asset).toMatchObject({ lastSeen: instant(1), deletedAt: null, score: null });
    }
  });

  it('evaluates expiry at the instant, also one that is still to come', async () => {
    const web01 = async (days: number, ...more: string[]) =>
      findingsOf((await lines(instant(days), '--asset', 'WEB01', ...more))[0]!);
    expect(await web01(4)).toEqual(['open port Failed', 'old kernel Qualified', 'weak cipher Failed']);
    expect(await web01(5)).toEqual(['open port Failed', 'old kernel Qualified']);
    expect(await web01(5, '--retired')).toEqual([
      'open port Failed',
      'old kernel Qualified',
      'weak cipher Retired',
    ]);
    expect(await web01(10_000)).toEqual([]);
  });

  it('finds one asset or finding by id, in any state, and reports if there was none', async () => {
    const weak = findingId(assetOf('web01'), 'va', 'weak cipher');
    const [line, ...others] = await lines(instant(6), '--finding', weak.toUpperCase());
    expect([line!.asset.name, findingsOf(line!), others]).toEqual(['web01', ['weak cipher Retired'], []]);
    const deleted = await lines(instant(6), '--asset', assetOf('mail01'));
    expect(deleted.map(({ asset }) => [asset.name, asset.deletedAt])).toEqual([['mail01', instant(4)]]);
    expect((await lines(instant(6))).map(({ asset }) => asset.name)).not.toContain('mail01');
    for (const args of [
      ['--finding', weak],
      ['--asset', 'nobody'],
    ]) {
      expect(await run('as-of', instant(2), ...args)).toMatchObject({
        exitCode: 1,
        out: '',
        err: expect.stringContaining(`no ${args[0]!.slice(2)} ${args[1]} existed at ${instant(2)}`),
      });
    }
  });

  it('answers the same from an exported log, with neither database nor service', async () => {
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: join(dir, 'none') };
    for (const days of [0, 2, 4, 6]) {
      const args = ['as-of', instant(days), '--retired'];
      const fromFile = await runIn(nowhere, ...args, '--log', file);
      expect(fromFile).toMatchObject({ exitCode: 0, err: expect.stringContaining('Folding: ') });
      expect(fromFile.out).toBe((await run(...args)).out);
    }
  });

  it('reports the beginning of the log, with exit 2, for an instant before', async () => {
    for (const from of [[], ['--log', file]]) {
      expect(await run('as-of', new Date(T0 - 1).toISOString(), ...from)).toMatchObject({
        exitCode: 2,
        out: '',
        err: expect.stringContaining(
          'posture: no data exists at that time: the first event of the log is from 2026-01-01T00:00:00.000Z',
        ),
      });
    }
    expect(await lines(new Date(T0).toISOString())).toEqual([]);
  });

  it.each(['yesterday', '2026-01-01', '2026-01-01T00:00:00', '1772000000000', '2026-02-30T00:00:00Z'])(
    'names the format it expects, with exit 2, for %s',
    async (text) => {
      const { exitCode, out, err } = await run('as-of', text);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toContain('Expected an ISO 8601 time with its zone, such as 2026-05-31T12:00:00Z');
    },
  );

  it('exits 2 with the position if the file is damaged or truncated, and if it is foreign or missing', async () => {
    const bytes = await readFile(file);
    const damaged = Buffer.from(bytes);
    damaged[bytes.length >> 1]! ^= 16;
    for (const [content, expected] of [
      [damaged, /bad is damaged (from partition \d+, offset \d+ on|in its header|after its last record): /],
      [bytes.subarray(0, bytes.length - 40), /bad is damaged /],
      [Buffer.from('{"some": "json"}'), /bad is not a file of `posture export-log`: .* at byte 0/],
    ] as const) {
      await writeFile(join(dir, 'bad'), content);
      const { exitCode, err } = await run('as-of', instant(2), '--log', join(dir, 'bad'));
      expect(exitCode).toBe(2);
      expect(err).toMatch(expected);
    }
    expect(await run('as-of', instant(2), '--log', join(dir, 'missing'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('missing (ENOENT)'),
    });
  });

  it('exits 2 with the position of a hole, and of a record of a later version', async () => {
    const other = await testDatabase();
    try {
      expect(await runIn({ DATABASE_URL: other.url }, 'import-log', file)).toMatchObject({ exitCode: 0 });
      const asOf = () => runIn({ DATABASE_URL: other.url }, 'as-of', instant(9));
      await other.pool.query('delete from log_records where partition = 1 and "offset" = 2');
      expect(await asOf()).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('partition 1 continues at offset 3, but 2 is next: records are missing'),
      });
      // In the partition that comes first.
      const later = { key: 'machine:web01', value: Buffer.from([0, 0, 0, 255, 255, 1]) };
      const [position] = await withLog((log) => log.append(INTAKE_TOPIC, [later]), other);
      expect(position).toMatchObject({ partition: 0 });
      expect(await asOf()).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining(`partition 0, offset ${position!.offset}: unknown schema id 65535`),
      });
    } finally {
      await other.drop();
    }
  });

  it('ends quietly if the reader closes the pipe', async () => {
    const terminal = recordingTerminal({ DATABASE_URL: site.url });
    const closed = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    expect(await runPosture(['as-of', instant(2)], { ...terminal, stdout: closed })).toBe(0);
    expect(terminal.err()).not.toContain('posture:');
  });
});
