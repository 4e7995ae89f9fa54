import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeIntake, HEADER_BYTES } from '#libs/contracts';
import {
  assetId,
  CURRENT_RULES,
  type FindingAccepted,
  findingId,
  type IntakeEvent,
  readingAt,
} from '#libs/domain';
import { type EventLog, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { readExtent, writeLogFile } from '#libs/log-archive';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { erasuresByRetention } from '../../../../test/golden/events/25-erasures-by-retention.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { runs } from '../../../../test/support/long-run.ts';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import {
  DAY_MS,
  entity,
  event,
  instance,
  observation,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import { withLog } from '../as-of/with-log.ts';
import { runPosture } from '../posture.ts';
import { csvReport1, csvReport2 } from './csv-report.ts';
import { withReport } from './derive-report.ts';
import { erasedSince } from './erased-since.ts';
import { htmlReport1 } from './html-report.ts';
import { jsonReport1 } from './json-report.ts';
import { reportBytes } from './report-format.ts';

const PARTITIONS = 3;
const FORMATS = ['html', 'csv', 'json'] as const;
/** A name, a rationale and a user that mean something to a page, to a spreadsheet and to a reader of lines. */
const HOSTILE = '=cmd|\'/C calc\'!A0 "<script>alert(1)</script>"';
/** In CSV, its second line looks like a row that says of which instant the report is. */
const INJECTING = 'z\r\nreport,asOf,2020-01-01T00:00:00.000Z,\r\nz';
const HOSTS = ['web02', 'web01', 'db01', 'Zeta', 'mail01', 'web01.example.com', HOSTILE, INJECTING];
const RATIONALE = '-1+1 is fine;=1+1, "really"\nuntil\u2028then </blockquote><img src=x>';

const at = (days: number) => T0 + days * DAY_MS;
const instant = (days: number) => new Date(at(days)).toISOString();
const AS_OF = instant(4);
const NOWHERE = { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: '/nonexistent' };

let site: TestDatabase;
let dir: string;
let file: string;

const assetOf = (host: string) => assetId(`machine:${host.toLowerCase()}`);

const events: IntakeEvent[] = (() => {
  const of = (host: string) => ({ entity: entity({ name: host, criticality: 'high' }) });
  const key = (host: string) => ({ entityKey: `machine:${host.toLowerCase()}` });
  const worst = [
    observation('edr', [instance('fail', { severity: { ...instance().severity, value: 9.8 } })]),
  ];
  return [
    ...HOSTS.flatMap((host, n) =>
      upload(
        n,
        at(1),
        [
          signal('open port', 'fail', of(host)),
          signal('weak cipher', 'fail', of(host)),
          signal('old agent', 'fail', { ...of(host), observations: worst }),
          signal('patched', 'pass', of(host)),
          signal('short lived', 'fail', { ...of(host), expiresAt: at(3) }),
        ],
        key(host),
      ),
    ),
    ...['web01', HOSTILE].map((host) =>
      event(
        {
          type: 'FindingAccepted',
          findingId: findingId(assetOf(host), 'va', 'weak cipher'),
          seenVersion: null,
          rationale: RATIONALE,
          until: host === 'web01' ? at(30) : null,
        },
        at(2),
        { kind: 'user', user: '@ana' },
        key(host),
      ),
    ),
    event({ type: 'AssetDeleted', assetId: assetOf('mail01'), seenVersion: null }, at(3), {}, key('mail01')),
    ...upload(50, at(6), [signal('later', 'fail', of('web01'))], key('web01')),
  ];
})();

beforeAll(async () => {
  site = await testDatabase();
  dir = await mkdtemp(join(tmpdir(), 'posture-report-spec-'));
  file = join(dir, 'site.posture-log');
  const log = new PostgresEventLog({ url: site.url, partitions: PARTITIONS });
  await openLog(site.db, log, () => readingAt(T0));
  await log.append(
    INTAKE_TOPIC,
    events.map((one) => ({ key: one.envelope.entityKey, value: encodeIntake(one) })),
  );
  await log.close();
  expect(await run('export-log', file)).toMatchObject({ exitCode: 0 });
});
afterAll(async () => {
  await site.drop();
  await rm(dir, { recursive: true });
});
beforeEach(() => rm(join(dir, 'changed'), { force: true }));

async function run(...args: string[]) {
  return runIn({ DATABASE_URL: site.url }, ...args);
}

async function runIn(env: Record<string, string>, ...args: string[]) {
  const terminal = recordingTerminal(env);
  const exitCode = await runPosture(args, terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

async function reported(format: string, ...more: string[]): Promise<string> {
  const { exitCode, out, err } = await run('report', '--as-of', AS_OF, '--format', format, ...more);
  expect([exitCode, err]).toEqual([0, expect.stringMatching(/^Folding: .* a second\n$/s)]);
  return out;
}

/** The path of a report of each format. */
async function written(format: string): Promise<string> {
  const path = join(dir, `report.${format}`);
  await writeFile(path, await reported(format));
  return path;
}

const check = (report: string, logFile = file, ...more: string[]) =>
  runIn(NOWHERE, 'report', '--check', report, logFile, ...more);

/** A file of the site's log, changed by a test before it is written. */
async function logFileOf(name: string, change: (log: MemoryLog) => unknown): Promise<string> {
  const path = join(dir, name);
  const log = new MemoryLog(PARTITIONS);
  const source = new PostgresEventLog({ url: site.url, partitions: PARTITIONS });
  for (let partition = 0; partition < PARTITIONS; partition++) {
    for await (const records of source.read(INTAKE_TOPIC, partition, 0, Number.MAX_SAFE_INTEGER)) {
      log.stored[partition]!.push(...records);
    }
  }
  await source.close();
  await change(log);
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await writeLogFile(log.port as EventLog, await readExtent(log.port), stream);
  await writeFile(path, Buffer.concat(chunks));
  return path;
}

describe('posture report', () => {
  it.each(FORMATS)('is the same bytes from the site and from its exported log: %s', async (format) => {
    const fromSite = await reported(format);
    expect(await reported(format)).toBe(fromSite);
    const args = ['report', '--as-of', AS_OF, '--format', format];
    expect((await runIn(NOWHERE, ...args, '--log', file)).out).toBe(fromSite);
    const output = join(dir, `written.${format}`);
    expect(await runIn(NOWHERE, ...args, '--log', file, '--output', output)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Written {5}.*\nFingerprint [0-9a-f]{64}\n$/),
    });
    expect(await readFile(output, 'utf8')).toBe(fromSite);
    expect((await stat(output)).mode & 0o777).toBe(0o600);
    expect(await run(...args, '--output', output)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('already exists'),
    });
  });

  it('shows the state, by name over all partitions, the worst first', async () => {
    const report = JSON.parse(await reported('json'));
    const live = HOSTS.filter((host) => host !== 'mail01');
    expect(report.assets.map(({ name }: { name: string }) => name)).toEqual(live.sort());
    expect(report).toMatchObject({ report: 'posture', format: 2, asOf: AS_OF });
    expect(report.totals).toMatchObject({ assets: live.length, assetsByType: { Server: live.length } });
    const open = report.assets.flatMap((asset: { open: unknown[] }) => asset.open);
    expect(report.totals.findingsByState).toMatchObject({
      Failed: open.length,
      AcceptedFailed: 2,
      Qualified: live.length,
    });
    const web01 = report.assets.find(({ id }: { id: string }) => id === assetOf('web01'));
    expect(
      web01.open.map(({ name, severity }: { name: string; severity: number }) => [name, severity]),
    ).toEqual([
      ['old agent', 9.8],
      ['open port', 7],
    ]);
    expect(web01.accepted).toEqual([
      expect.objectContaining({
        name: 'weak cipher',
        severityLevel: 'high',
        acceptedBy: '@ana',
        acceptedSince: instant(2),
        acceptedUntil: instant(30),
        rationale: RATIONALE,
      }),
    ]);
  });

  it('prevents foreign text from being a formula or a tag', async () => {
    const csv = await reported('csv');
    expect(csv).toContain(`'=cmd|'/C calc'!A0 ""<script>`);
    expect(csv).toContain(`,'@ana,`);
    expect(csv).toContain(`"'-1+1 is fine;'=1+1, ""really""\n`);
    expect(csv).not.toMatch(/(^|[,;])"?[=+@\t-]/m);
    const page = await reported('html');
    expect(page).not.toMatch(/<script|<img|<\/blockquote><img/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it.each([
    [['--as-of', 'yesterday', '--format', 'json'], /Expected an ISO 8601 time with its zone/],
    [
      ['--as-of', '2025-12-31T23:59:59Z', '--format', 'json'],
      /the first event of the log is from 2026-01-01T00:00:00.000Z/,
    ],
    [['--as-of', '2026-01-05T00:00:00Z', '--format', 'pdf'], /Allowed choices are html, csv, json/],
    [['--as-of', '2026-01-05T00:00:00Z'], /name the instant and the format/],
    [['--format', 'json'], /name the instant and the format/],
    [['--check', 'report.json'], /cannot read or write report\.json/],
    [['--check', 'report.json', 'a.posture-log', '--format', 'json'], /cannot be used with option/],
    [['--check', 'report.json', 'a.posture-log', '--log', 'a.posture-log'], /name the log file once/],
    [
      ['--as-of', '2026-01-05T00:00:00Z', '--format', 'json', 'a.posture-log'],
      /a log file argument requires --check/,
    ],
  ])('exits 2 on %j', async (args, expected) => {
    const { exitCode, out, err } = await run('report', ...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(expected);
  });

  it('writes nothing of a damaged log', async () => {
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 16;
    await writeFile(join(dir, 'bad'), bytes);
    const output = join(dir, 'of-bad.json');
    const args = ['report', '--as-of', AS_OF, '--format', 'json', '--log', join(dir, 'bad')];
    expect(await run(...args)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(/bad is damaged/),
    });
    expect(await run(...args, '--output', output)).toMatchObject({ exitCode: 2 });
    expect(await readdir(dir)).not.toContain('of-bad.json');
  });
});

describe('posture report --check', () => {
  it.each(FORMATS)('matches the log that the report is of: %s', async (format) => {
    const path = await written(format);
    const { fingerprint } = JSON.parse(await reported('json'));
    expect(await check(path)).toEqual({
      exitCode: 0,
      out: `matches    the log, as of ${AS_OF}\nFingerprint ${fingerprint}\n`,
      err: expect.stringMatching(/^Deriving: /),
    });
    const { out, err } = await check(path, file, '--json');
    expect([JSON.parse(out), err]).toEqual([
      { ok: true, matches: true, asOf: AS_OF, fingerprint, erasedValues: 0 },
      '',
    ]);
    // Later data is excluded.
    const later = { partition: 0, key: 'x', value: encodeIntake(event(signal('much later'), at(9))) };
    const longer = await logFileOf('longer', (log) => log.append(INTAKE_TOPIC, [later]));
    expect(await check(path, longer)).toMatchObject({ exitCode: 0 });
  });

  it('counts no erasure that the fold refused, as its clock was ahead', async () => {
    const erasure = (subject: string, ahead: number) => {
      const payload = { type: 'SubjectErased', subject, reason: 'asked' } as const;
      return {
        partition: 0,
        key: 'x',
        value: encodeIntake(event(payload, at(9) + ahead, { receivedAt: at(9) })),
      };
    };
    const [erased, refused] = [`${'e'.repeat(21)}A`, `${'r'.repeat(21)}A`];
    const path = await logFileOf('erasures', (log) =>
      log.append(INTAKE_TOPIC, [erasure(erased, 0), erasure(refused, DAY_MS)]),
    );
    expect([...(await erasedSince(path, at(4)))]).toEqual([erased]);
  });

  describe('with erasures by the retention', () => {
    const later = {
      partition: 0,
      key: 'x',
      value: encodeIntake(
        event({ type: 'EntitySwept', deleteIdleSince: null }, at(200), {}, { rules: CURRENT_RULES + 1 }),
      ),
    };
    const erasures = erasuresByRetention()[0]!.map((record) => ({ ...record, partition: 0 }));
    const logOf = (name: string, records: typeof erasures) =>
      logFileOf(name, (log) => {
        log.stored[0]!.length = 1;
        return log.append(INTAKE_TOPIC, records);
      });

    it('counts none of a subject that was reported before it', async () => {
      const path = await logOf('retention', erasures);
      expect([...(await erasedSince(path, at(4)))]).toEqual(['A', 'D'].map((letter) => letter.repeat(22)));
      expect([...(await erasedSince(path, at(100)))]).toEqual([]);
    });

    it('reads no events of later rules that follow the last erasure', async () => {
      const path = await logOf('retention-later', [...erasures, later]);
      expect([...(await erasedSince(path, at(4)))]).toEqual(['A', 'D'].map((letter) => letter.repeat(22)));
    });

    it('names the position of an event of later rules that precedes an erasure', async () => {
      const path = await logOf('retention-earlier', [later, ...erasures]);
      await expect(erasedSince(path, at(4))).rejects.toThrow('partition 0, offset 1: ');
    });
  });

  it.each(FORMATS)(
    'finds every single changed byte: %s',
    async (format) => {
      const bytes = await readFile(await written(format));
      const path = join(dir, 'changed');
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.nat(bytes.length - 1),
            fc.nat(1500),
            fc.nat(150).map((n) => bytes.length - 1 - n),
          ),
          fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constantFrom(1, 2, 4, 32)),
          async (place, flip) => {
            const changed = Buffer.from(bytes);
            changed[place]! ^= flip;
            await writeFile(path, changed);
            const { exitCode, out, err } = await check(path);
            expect(out).toBe('');
            expect([1, 2]).toContain(exitCode);
            expect(err).toMatch(/posture: .+/);
          },
        ),
        { numRuns: runs(150) },
      );
    },
    180_000,
  );

  it.each(FORMATS)('finds each removal and addition: %s', async (format) => {
    const bytes = await readFile(await written(format));
    const path = join(dir, 'changed');
    const cuts = [0, 1, 100, bytes.length >> 1, bytes.length - 81, bytes.length - 1];
    for (const cut of cuts) {
      await writeFile(path, bytes.subarray(0, cut));
      const { exitCode, out, err } = await check(path);
      expect([cut, exitCode, out]).toEqual([cut, 2, '']);
      expect(err).toMatch(/byte|bytes \d+ to \d+/);
    }
    await writeFile(path, Buffer.concat([bytes, Buffer.from('\n')]));
    expect(await check(path)).toMatchObject({ exitCode: 2, out: '' });
  });

  it.each(FORMATS)(
    'takes no other instant for its own, though nothing happened between: %s',
    async (format) => {
      const path = join(dir, 'changed');
      const moved = (await reported(format)).replaceAll(AS_OF, AS_OF.replace('.000Z', '.001Z'));
      await writeFile(path, moved.replaceAll('00:00:00 UTC', '00:00:00.001 UTC'));
      expect(await check(path)).toMatchObject({
        exitCode: 1,
        out: '',
        err: expect.stringContaining('line '),
      });
    },
  );

  it('takes the log file by --log too, as a report is written from it', async () => {
    const path = join(dir, 'by-option');
    await writeFile(path, await reported('json'));
    expect(await runIn(NOWHERE, 'report', '--check', path, '--log', file)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('matches'),
    });
  });

  it('names the field that was changed, with both values', async () => {
    const path = join(dir, 'changed');
    const changes = async (format: string, from: string, to: string) => {
      const text = await reported(format);
      expect(text).toContain(from);
      await writeFile(path, text.replace(from, to));
      const { exitCode, out, err } = await check(path);
      expect([exitCode, out]).toEqual([1, '']);
      return err;
    };
    expect(await changes('json', '"acceptedBy":"@ana"', '"acceptedBy":"bob"')).toMatch(
      /line \d+: asset ".*" \(.*\), accepted\[0\]\.acceptedBy: the report says "bob", the log "@ana"/,
    );
    expect(await changes('json', '"AcceptedFailed":2', '"AcceptedFailed":1')).toMatch(
      /findingsByState\.AcceptedFailed: the report says 1, the log 2/,
    );
    expect(await changes('csv', ',9.8,critical,', ',1.8,low,')).toMatch(
      /line \d+: severity: the report says "1.8", the log "9.8"/,
    );
    expect(await changes('html', '>@ana<', '>@bob<')).toMatch(/the report says ".*@bob.*", the log ".*@ana/);
  });

  it('takes a CSV report of an earlier version, in its format', async () => {
    const path = join(dir, 'report-1.csv');
    await withLog({ file, title: 'Folding', isSilent: true }, recordingTerminal(NOWHERE), (log) =>
      withReport(log, at(4), csvReport1, (report) => writeFile(path, reportBytes(report, csvReport1))),
    );
    const text = await readFile(path, 'utf8');
    expect(text).toContain('report,format,1,');
    expect(text).toContain(`"'-1+1 is fine;=1+1, ""really""\n`);
    expect(await check(path)).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^matches/) });
  });

  it.each([
    ['html', htmlReport1],
    ['json', jsonReport1],
    ['csv', csvReport2],
  ] as const)('takes a report with the former chain: %s', async (format, writer) => {
    const path = join(dir, `former.${format}`);
    await withLog({ file, title: 'Folding', isSilent: true }, recordingTerminal(NOWHERE), (log) =>
      withReport(log, at(4), writer, (report) => writeFile(path, reportBytes(report, writer))),
    );
    const { fingerprint } = JSON.parse(await reported('json'));
    const { exitCode, out } = await check(path);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^matches/)]);
    expect(out).not.toContain(fingerprint);
  });

  it.each(FORMATS)('finds an acceptance that became a comment of the same bytes: %s', async (format) => {
    const path = await written(format);
    const { envelope, payload } = events.find(
      (one) => one.payload.type === 'FindingAccepted' && one.payload.until === null,
    ) as IntakeEvent & { payload: FindingAccepted };
    const { findingId, seenVersion, rationale: text } = payload;
    const accepted = encodeIntake({ envelope, payload });
    const commented = encodeIntake({
      envelope,
      payload: { type: 'FindingCommented', findingId, seenVersion, text, mentions: [] },
    });
    expect(commented.subarray(HEADER_BYTES)).toEqual(accepted.subarray(HEADER_BYTES));
    const forged = await logFileOf('forged', ({ stored }) => {
      for (const record of stored.flat()) if (record.value.equals(accepted)) record.value = commented;
    });
    const { exitCode, out, err } = await check(path, forged);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/another history.*records, offsets 0 to \d+, differ/s);
  });

  it.each(FORMATS)('reports a different history with partition and position: %s', async (format) => {
    const path = await written(format);
    const own = (log: MemoryLog) => log.stored.findIndex((records) => records.length > 5);
    let partition = -1;
    let records = 0;
    const shorter = await logFileOf('shorter', (log) => {
      partition = own(log);
      records = log.stored[partition]!.length - 2;
      log.stored[partition]!.length = records;
    });
    const short = await check(path, shorter);
    expect(short).toMatchObject({ exitCode: 1, out: '' });
    expect(short.err).toMatch(
      new RegExp(`partition ${partition}: the report has \\d+ records, the file has ${records}`),
    );

    const rewritten = await logFileOf('rewritten', (log) => {
      partition = own(log);
      const record = log.stored[partition]![2]!;
      log.stored[partition]![2] = { ...record, key: `${record.key}x` };
    });
    const other = await check(path, rewritten);
    expect(other).toMatchObject({ exitCode: 1, out: '' });
    expect(other.err).toMatch(
      new RegExp(
        `partition ${partition}: the \\d+ records, offsets 0 to \\d+, differ: the head .* in the file`,
      ),
    );
    const { out } = await check(path, rewritten, '--json');
    expect(JSON.parse(out)).toMatchObject({ ok: false, details: [expect.stringContaining('partition')] });
  });

  it('exits 2 if report or log are damaged, foreign or missing', async () => {
    const path = await written('json');
    const foreign = join(dir, 'foreign');
    const chunks = await logFileOf('other', (log) => {
      for (const records of log.stored) records.length = 0;
      for (const [partition, [opening]] of MemoryLog.opened([[], [], []]).stored.entries()) {
        log.stored[partition]!.push(opening!);
      }
    });
    expect(await check(path, chunks)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(/is a report of log .*, but .* contains log /),
    });
    await writeFile(foreign, '{"some": "json"}');
    expect(await check(foreign)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(
        'is not a report of `posture report`: its first bytes are not those of a report',
      ),
    });
    expect(await check(path, foreign)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('is not a file of `posture export-log`'),
    });
    expect(await check(join(dir, 'missing'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('missing (ENOENT)'),
    });
    expect(await check(path, join(dir, 'missing'))).toMatchObject({ exitCode: 2 });
    expect(await check(dir)).toMatchObject({ exitCode: 2, err: expect.stringContaining('is a directory') });
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 16;
    await writeFile(foreign, bytes);
    expect(await check(path, foreign)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/foreign is damaged/),
    });
    await writeFile(foreign, (await readFile(path, 'utf8')).replace('"format": 2,', '"format": 3,'));
    expect(await check(foreign)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('has report format 3'),
    });
  });
});
