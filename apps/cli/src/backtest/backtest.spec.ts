import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importCatalogue, type ReadRow } from '#libs/catalogue-store';
import { encodeIntake } from '#libs/contracts';
import { assetId, type ObservedInstance, readingAt } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { FoldingLog } from '../../../../test/fixtures/catalogue-store/folding-log.ts';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
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
import { runPosture } from '../posture.ts';
import type { documentOf } from './json-backtest.ts';

/*
 * Hosts h0 to h19: host n has CVE n, EPSS (n + 1) ÷ 100, severity 7 and no vector; h1 has a public address. The twin
 * has CVE 19 too, the idle host nothing that is mapped; a host with CVE 19 is deleted on day 3. All is known on day 1; the window is from day 10 to day 40.
 */
const PARTITIONS = 2;
const NUMBERS = Array.from({ length: 20 }, (_, n) => n);
const cve = (n: number) => `CVE-2025-${20_000 + n}`;
const epss = (n: number) => (n + 1) / 100;
const at = (days: number) => T0 + days * DAY_MS;
const instant = (days: number) => new Date(at(days)).toISOString();
const day = (days: number) => instant(days).slice(0, 10);

/** CVE 0 was listed long ago, CVE 9 before the window too, but that list was imported after it; CVE 15 came later. */
const LISTED_WITHIN = [1, 10, 11, 12, 13, 14, 16, 17, 18, 19];
const KEV_BEFORE = [{ cve: cve(0), value: { dateAdded: '2025-01-01' } }];
const KEV_AFTER = [
  ...KEV_BEFORE,
  { cve: cve(9), value: { dateAdded: day(8) } },
  { cve: cve(15), value: { dateAdded: day(41) } },
  ...LISTED_WITHIN.map((n) => ({ cve: cve(n), value: { dateAdded: day(11 + n) } })),
];
const EPSS_SOURCE = 'epss <script>alert(1)</script>.csv';

const detection = (key: string, given: Partial<ObservedInstance>) =>
  instance('fail', { key, techniques: ['T1486'], workflowStatus: 'In Progress', ...given });
const POSITIVE = { tags: { verdict: ['true_positive'] } };
const CLOSED = { workflowStatus: 'Closed' };

const GONE = { entityKey: 'machine:gone' };

let site: TestDatabase;
let dir: string;
let uploads = 0;

function seen(host: string, days: number, ...observations: Parameters<typeof observation>[]) {
  return seenUntil(at(1_000), host, days, ...observations);
}

function seenUntil(
  expiresAt: number,
  host: string,
  days: number,
  ...observations: Parameters<typeof observation>[]
) {
  const given = entity({ name: host, ipAddresses: host === 'h1' ? ['8.8.8.8'] : ['10.0.0.1'] });
  const signals = observations.map((one) =>
    signal(one[0] === 'edr' ? 'detection' : 'hole', 'fail', {
      entity: given,
      expiresAt,
      retainUntil: expiresAt,
      observations: [observation(...one)],
    }),
  );
  return upload(++uploads, at(days), signals, { entityKey: `machine:${host}` });
}
const hole = (n: number) => ['va', [instance('fail', { cves: [cve(n)] })]] as Parameters<typeof observation>;
const detected = (...instances: ObservedInstance[]) => ['edr', instances] as Parameters<typeof observation>;

beforeAll(async () => {
  site = await testDatabase();
  dir = await mkdtemp(join(tmpdir(), 'posture-backtest-'));
  const log = new PostgresEventLog({ url: site.url, partitions: PARTITIONS });
  await openLog(site.db, log, () => readingAt(T0));
  const events = [
    ...NUMBERS.flatMap((n) => seen(`h${n}`, 1, hole(n))),
    ...seen('twin', 1, hole(19)),
    ...seen('idle', 1, ['va', [instance('fail')]]),
    ...seen('gone', 1, hole(19)),
    event({ type: 'AssetDeleted', assetId: assetId('machine:gone'), seenVersion: null }, at(3), {}, GONE),
    // Before the window: an open detection, one that has expired, and one that is closed as true positive.
    ...seenUntil(at(5), 'h17', 2, detected(detection('a', {}))),
    ...seen('h19', 2, detected(detection('a', {}))),
    ...seen('h18', 2, detected(detection('a', { ...POSITIVE, ...CLOSED }))),
    // Within: repeated, and closed as false positive after all.
    ...seen('h18', 12, detected(detection('a', { ...POSITIVE, ...CLOSED }))),
    ...[2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 19].flatMap((n) =>
      seen(`h${n}`, 12, detected(detection('b', POSITIVE))),
    ),
    ...seen('h14', 12, detected(detection('b', { ...POSITIVE, ...CLOSED }))),
    // Not of an EDR platform.
    ...seen('h15', 12, ['va', [instance('fail', { cves: [cve(15)], ...POSITIVE })]]),
    ...seen('idle', 12, detected(detection('b', { ...POSITIVE, techniques: [] }))),
    ...seen('h4', 12, detected(detection('b', {}))),
    ...seen('h2', 13, detected({ ...detection('b', CLOSED), status: 'pass' })),
    // The detection is gone from the platform, and one of another day is there.
    ...seen('h5', 14, detected(detection('c', {}))),
    ...seen('h3', 41, detected(detection('b', POSITIVE))),
  ];
  await log.append(
    INTAKE_TOPIC,
    events.map((one) => ({ key: one.envelope.entityKey, value: encodeIntake(one) })),
  );
  await log.close();
  const imports = new FoldingLog(site);
  await imports.fold(
    event(
      {
        type: 'LogOpened',
        logId: '00000000-0000-4000-8000-000000000001',
        partitions: PARTITIONS,
        scoringModel: null,
      },
      T0,
      { kind: 'system' },
      { entityKey: 'log:0' },
    ),
  );
  const importList = async (catalogue: 'epss' | 'kev', days: number, source: string, rows: ReadRow[]) => {
    imports.now = at(days);
    const read = async function* () {
      yield* rows;
    };
    await importCatalogue(site.db, { catalogue, source, read, mayShrink: true }, imports, () => at(days));
  };
  await importList(
    'epss',
    2,
    EPSS_SOURCE,
    NUMBERS.map((n) => ({ cve: cve(n), value: { probability: epss(n), date: day(2) } })),
  );
  await importList('kev', 3, 'kev-1.json', KEV_BEFORE);
  // A forecast of later days must not leak into the window.
  await importList(
    'epss',
    20,
    'epss-later.csv',
    NUMBERS.map((n) => ({ cve: cve(n), value: { probability: 0.9, date: day(20) } })),
  );
  await importList('kev', 50, 'kev-2.json', KEV_AFTER);
});
afterAll(async () => {
  await site.drop();
  await rm(dir, { recursive: true });
});

async function run(...args: string[]) {
  const terminal = recordingTerminal({ DATABASE_URL: site.url });
  const exitCode = await runPosture(['backtest', ...args], terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

async function documentFor(...args: string[]): Promise<ReturnType<typeof documentOf>> {
  const { exitCode, out, err } = await run('--format', 'json', ...args);
  expect([exitCode, err]).toEqual([0, expect.stringMatching(/^Folding: \d+ records\n/)]);
  return JSON.parse(out);
}

type TargetDocument = ReturnType<typeof documentOf>['targets'][number];

const areas = ({ forecasters }: TargetDocument) =>
  Object.fromEntries(forecasters.map((one) => [one.forecaster, one.areaUnderCurve!.value]));
const figuresOf = ({ forecasters }: TargetDocument, name: string) =>
  forecasters.find(({ forecaster }) => forecaster === name)!;
const digits = (value: number) => Number(value.toPrecision(6));

describe('posture backtest', () => {
  it('compares the forecasts for each CVE of an asset with the additions to KEV', async () => {
    const { windows, targets, remarks } = await documentFor('--at', instant(10));
    expect(windows).toEqual([
      {
        from: instant(10),
        until: instant(40),
        assets: 22,
        epss: expect.objectContaining({ source: EPSS_SOURCE, inForceFrom: instant(2) }),
        kev: expect.objectContaining({ source: 'kev-1.json', inForceFrom: instant(3) }),
      },
    ]);
    expect(remarks).toEqual([
      'assetListed: the intervals treat assets as independent, but 10 CVEs cause the 11 events. They are too narrow.',
    ]);
    const listed = targets[0]!;
    // CVE 0 and CVE 9 are left out; CVE 19 is on two hosts. Others: 2 to 8 and 15.
    expect(listed).toMatchObject({
      target: 'cveListed',
      outcomes: 19,
      events: 11,
      rate: digits(11 / 19),
      independentEvents: 10,
      units: 18,
      samples: 2000,
      leftOut: { listedBefore: { outcomes: 2, events: 0 } },
    });
    // By EPSS, CVE 1 is below all 8 others, 10 to 14 above 7 of them, 16 to 19 (twice) above all.
    const byEpss = digits((0 + 5 * 7 + 5 * 8) / (11 * 8));
    // By posture-2, CVE 1 has five times the reach: −ln(0.98) × 5 is above −ln(0.91), CVE 8.
    const byReach = digits((7 + 5 * 7 + 5 * 8) / (11 * 8));
    expect(areas(listed)).toEqual({
      'posture-2': byReach,
      'posture-1': byEpss,
      epss: byEpss,
      cvss: 0.5,
      kev: 0.5,
    });
    const { areaDifference, topDecileLift, brierScore, reliability } = figuresOf(listed, 'epss');
    expect(areaDifference!.value).toBeCloseTo(byEpss - byReach, 5);
    // 1.9 places, CVE 19 twice: only events.
    expect(topDecileLift!.value).toBe(digits(19 / 11));
    const said = NUMBERS.filter((n) => n !== 0 && n !== 9).concat(19);
    const squares = said.map((n) => (epss(n) - (LISTED_WITHIN.includes(n) ? 1 : 0)) ** 2);
    expect(brierScore!.value).toBe(digits(squares.reduce((a, b) => a + b) / said.length));
    expect(brierScore!.low).toBeLessThan(brierScore!.value);
    expect(brierScore!.high).toBeGreaterThan(brierScore!.value);
    // EPSS 0.01 to 0.1: CVEs 1 to 8, of which CVE 1 came; above: 10 to 19.
    expect(reliability!.map(({ from, outcomes, events }) => [from, outcomes, events])).toEqual([
      [0.01, 8, 1],
      [0.1, 11, 10],
    ]);
    // 0.03 at most: hazard −ln(0.8) × 0.1 × 0.000401149, of CVE 19.
    const [bin] = figuresOf(listed, 'posture-2').reliability!;
    expect(bin).toMatchObject({ from: 0, to: 1e-5, outcomes: 19, events: 11 });
    expect(figuresOf(listed, 'cvss')).toMatchObject({ brierScore: null, reliability: null });
  });

  it('compares the forecasts for each asset with the additions to KEV and with detections', async () => {
    const [, listed, detectedTarget] = (await documentFor('--at', instant(10))).targets;
    expect(listed).toMatchObject({
      outcomes: 21,
      events: 11,
      independentEvents: 10,
      units: 21,
      leftOut: { unscored: { outcomes: 1, events: 0 } },
    });
    // Only h0 is known-exploited at the beginning, and it is no event: below it all, equal to 9 of 10 others.
    expect(areas(listed!)).toMatchObject({ kev: 0.45 });
    expect(detectedTarget).toMatchObject({
      outcomes: 20,
      events: 10,
      independentEvents: 10,
      leftOut: { unscored: { outcomes: 1, events: 1 }, openDetection: { outcomes: 1, events: 1 } },
    });
    // Events: h5 to h14. Others: h0 to h4, h15 to h18 and the twin.
    expect(areas(detectedTarget!)).toEqual({
      epss: 0.5,
      cvss: 0.5,
      kev: 0.45,
      // h0 is known-exploited, so only h1 to h4 are below.
      'posture-1': 0.4,
      // By its address h1 is above h5 to h8 too.
      'posture-2': digits((4 * 3 + 6 * 4) / 100),
    });
  });

  it('prints the same again, and other samples for another window', async () => {
    const args = ['--at', instant(10), '--format', 'json'];
    const [first, second] = [await run(...args), await run(...args)];
    expect(first.out).toBe(second.out);
    expect(JSON.parse(first.out).seed).not.toBe((await documentFor('--at', instant(11))).seed);
  });

  it('compares one model only, if it is requested', async () => {
    const { targets } = await documentFor('--at', instant(10), '--model', 'posture-1');
    expect(targets[0]!.forecasters.map(({ forecaster }) => forecaster)).toEqual([
      'posture-1',
      'epss',
      'cvss',
      'kev',
    ]);
    expect(figuresOf(targets[0]!, 'epss').areaDifference).toEqual({ value: 0, low: 0, high: 0 });
  });

  it('prints tables for a terminal, and what limits them', async () => {
    const { exitCode, out } = await run('--at', instant(10));
    expect(exitCode).toBe(0);
    expect(out).toContain(`Back-test  from ${instant(10)} until ${instant(40)}\nWindows    1 of 30 days\n`);
    expect(out).toContain(
      [
        'A CVE of an asset is added to KEV',
        '  19 CVEs of assets, 11 with the event (58 %), by 10 CVEs',
        '  Left out: 2 CVEs of assets listed by KEV before',
      ].join('\n'),
    );
    expect(out).toMatch(
      / {4}posture-2 {2}0\.57\d{4} \[0\.\d{6}, 0\.\d{6}\] {2}- {6}0\.932 \[0\.\d{3}, 1\.000\] {2}- /,
    );
    expect(out).toMatch(/ {4}CVSS only {2}- +- {6}0\.500 \[0\.500, 0\.500\] {2}−0\.432 /);
    expect(out).toMatch(
      / {2}Reliability of EPSS only\n {4}forecast +outcomes +events +mean forecast +rate that came\n/,
    );
    expect(out).toMatch(/ {4}0\.01 to 0\.1 +8 +1 +0\.0550 +0\.1250 \[0\.0224, 0\.4709\]\n/);
    const few = await run('--at', instant(10), '--days', '5');
    expect(few.out).toContain(
      'Remark     cveListed: too few independent events to judge a ranking (1; at least 10 are required).',
    );
    expect(few.out).toMatch(/ {4}posture-2 {2}0\.\d{6} \[.*\] {2}- +- +- +-\n/);
  });

  it('writes one self-contained page with plots, with everything from outside escaped', async () => {
    const file = join(dir, 'backtest.html');
    const { exitCode, out } = await run('--at', instant(10), '--format', 'html', '--output', file);
    expect([exitCode, out]).toEqual([0, `Written ${file}, from ${instant(10)} until ${instant(40)}\n`]);
    const page = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)|src=|NaN|undefined|Infinity/);
    expect(page).toContain('epss &lt;script&gt;alert(1)&lt;/script&gt;.csv');
    // Of each target: two plots of all forecasts, and the reliability of the three that state a likelihood.
    expect(page.match(/<svg /g)).toHaveLength(3 * (2 + 3));
    expect(page.match(/<svg [^>]*aria-label="Area under the curve of each forecast"/g)).toHaveLength(3);
    // 0.931818 of the axis from 90 to 620.
    expect(page).toContain('<circle class="dot" cx="583.9" cy="28" r="4.5"/>');
    const again = await run('--at', instant(10), '--output', file, '--json');
    expect(again).toMatchObject({ exitCode: 2, out: expect.stringContaining('already exists') });
    expect(await readFile(file, 'utf8')).toBe(page);
  });

  it('prints one JSON document about a file with --json', async () => {
    const file = join(dir, 'backtest.json');
    const { out, err } = await run('--at', instant(10), '--format', 'json', '--output', file, '--json');
    expect([JSON.parse(out), err]).toEqual([{ ok: true, file, from: instant(10), until: instant(40) }, '']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(await documentFor('--at', instant(10)));
  });

  it('pools consecutive windows, each by the catalogues of its beginning', async () => {
    const { windows, targets, remarks } = await documentFor(
      '--at',
      instant(10),
      '--days',
      '15',
      '--windows',
      '3',
    );
    expect(windows.map(({ from, until, epss }) => [from, until, epss.source])).toEqual([
      [instant(10), instant(25), EPSS_SOURCE],
      [instant(25), instant(40), 'epss-later.csv'],
      [instant(40), instant(55), 'epss-later.csv'],
    ]);
    // CVE n is listed on day 11 + n: 1, 10 to 14 in the first window, 16 to 19 in the second, 15 (day 41) in the third.
    expect(targets[0]).toMatchObject({
      events: 6 + 5 + 1,
      independentEvents: 11,
      outcomes: 19 + 13 + 8,
      leftOut: { listedBefore: { outcomes: 2 + 8 + 13, events: 0 } },
    });
    expect(remarks[0]).toContain(
      `The last KEV list that was imported is in force since ${instant(50)}, before the end`,
    );
  });

  it.each([
    [[], "required option '--at <instant>' not specified"],
    [['--at', '2026-02-01'], 'Expected an ISO 8601 time with its zone'],
    [['--at', instant(10), '--days', '0'], 'Expected an integer from 1 to 365.'],
    [['--at', instant(10), '--days', '366'], 'Expected an integer from 1 to 365.'],
    [['--at', instant(10), '--days', '-1'], 'Expected an integer from 1 to 365.'],
    [['--at', instant(10), '--days', '1.5'], 'Expected an integer from 1 to 365.'],
    [['--at', instant(10), '--windows', '61'], 'Expected an integer from 1 to 60.'],
    [['--at', instant(10), '--model', 'posture-3'], 'Allowed choices are posture-1, posture-2.'],
    [['--at', instant(10), '--format', 'csv'], 'Allowed choices are text, json, html.'],
    [['--at', instant(10), 'more'], 'too many arguments'],
    [['--at', '9999-01-01T00:00:00Z'], '--at must be in the past: 9999-01-01T00:00:00.000Z is in the future'],
    [['--at', instant(1)], `no EPSS forecasts and no KEV list was in force at ${instant(1)}`],
    [['--at', instant(2)], `no KEV list was in force at ${instant(2)}`],
    [['--at', '0001-01-01T00:00:00Z'], 'no EPSS forecasts and no KEV list was in force'],
    [['--at', instant(10), '--output', '/nowhere/at/all.html'], 'cannot write to /nowhere/at (ENOENT)'],
  ])('exits 2 with words for %j', async (args, words) => {
    const { exitCode, out, err } = await run(...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(words);
  });

  it('requires --output for --json, which is about the file', async () => {
    const { exitCode, out } = await run('--at', instant(10), '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([
      2,
      expect.objectContaining({ ok: false, message: expect.stringContaining('--json requires --output') }),
    ]);
  });

  it('says when a window ends that has not ended yet, and what to use instead', async () => {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString();
    const { exitCode, err } = await run('--at', yesterday);
    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /the window ends at \S+, which is in the future: its outcome is not known yet\n {2}use --at \S+ or earlier, or fewer --days or --windows\n/,
    );
  });

  it('names the beginning of the log for an instant before it', async () => {
    await site.pool.query("update catalogue_imports set valid_from = valid_from - interval '1 year'");
    const { exitCode, out, err } = await run('--at', new Date(T0 - DAY_MS).toISOString());
    await site.pool.query("update catalogue_imports set valid_from = valid_from + interval '1 year'");
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(`the first event of the log is from ${instant(0)}`);
  });

  it('starts nothing for a directory without a service', async () => {
    await writeFile(join(dir, 'empty'), '');
    const terminal = recordingTerminal({ DATA_DIR: join(dir, 'none') });
    expect(await runPosture(['backtest', '--at', instant(10)], terminal)).toBe(2);
    expect(terminal.err()).toContain('no service has run on DATA_DIR');
  });
});
