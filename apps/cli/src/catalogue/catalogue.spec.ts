import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importCatalogue } from '#libs/catalogue-store';
import { readingAt } from '#libs/domain';
import { openLog } from '#libs/intake';
import {
  attackBundle,
  CTID_CSV,
  ctidMappings,
  cveRecord,
  EPSS_CSV,
  kevCatalog,
  nvdFeed,
  nvdRecord,
  stixTechnique,
} from '../../../../test/fixtures/catalogue/samples.ts';
import { TemporaryFiles } from '../../../../test/fixtures/catalogue/temporary-files.ts';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { ForwardProxy } from '../../../../test/support/forward-proxy.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { runPosture } from '../posture.ts';
import { withDownload } from './download.ts';

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

let site: StartedGateway;
let files: TemporaryFiles;

beforeAll(async () => {
  site = await StartedGateway.start({ folds: true });
  await openLog(site.database.db, site.log, () => readingAt(Date.now()));
  files = await TemporaryFiles.create();
});
afterAll(async () => {
  await files.remove();
  await site.stop();
});

const run = (...args: string[]) => runWith({}, ...args);

async function runWith(env: Record<string, string>, ...args: string[]) {
  const terminal = recordingTerminal({ DATABASE_URL: site.database.url, ...env });
  const exitCode = await runPosture(['catalogue', ...args], terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

const rows = async (catalogue: string) => {
  const found = await site.database.pool.query(
    `select cve, value from catalogue_rows where catalogue = $1 and valid_to = 'infinity' order by 1`,
    [catalogue],
  );
  return Object.fromEntries(found.rows.map(({ cve, value }) => [cve, value]));
};

/** In order: each uses the result of the previous one. */
describe('posture catalogue', () => {
  it('reports that nothing was imported yet, and the catalogues that ship with the service', async () => {
    expect(await run('status')).toEqual({
      exitCode: 0,
      out: [
        'ATT&CK techniques (attack): 0 techniques in force',
        '  never imported',
        'Techniques of CVEs (ctid): 0 CVEs in force',
        '  never imported',
        'CVE states (cve): 0 CVEs in force',
        '  never imported',
        'EPSS forecasts (epss): 0 CVEs in force',
        '  never imported',
        'Known exploited (kev): 0 CVEs in force',
        '  never imported',
        'ATT&CK, shipped with the service: enterprise 18.1 (835 techniques), mobile 15 (187 techniques), ics 18.1 (95 techniques)',
        '',
      ].join('\n'),
      err: '',
    });
  });

  it('imports a compressed EPSS file, reports it in plain lines, and records the act in the audit trail', async () => {
    const file = await files.write('epss_scores-2026-05-30.csv.gz', gzipSync(EPSS_CSV));
    const { exitCode, out, err } = await run('import', 'epss', file);
    expect(err).toMatch(/^Reading: 1 KB\nReading: 1 of 1 KB\n$/);
    expect(out).toMatch(
      new RegExp(
        `^Imported epss_scores-2026-05-30.csv.gz: 4 rows of the epss catalogue, in force from ${TIME} on: 4 CVEs added, 0 changed, 0 removed\n$`,
      ),
    );
    expect(exitCode).toBe(0);
    expect(await rows('epss')).toMatchObject({
      'CVE-2024-10001': { probability: 0.00046, date: '2026-05-30' },
      'CVE-2024-10003': { probability: 1 },
    });
    const admin = await site.client('admin');
    const acts = await admin.all('/api/v3/audit?action=catalogue.imported');
    expect(acts).toMatchObject([
      {
        user: null,
        target: 'epss',
        refused: null,
        detail: {
          before: null,
          after: { catalogue: 'epss', source: 'epss_scores-2026-05-30.csv.gz', rows: 4 },
        },
      },
    ]);
  });

  it('imports the KEV list as one JSON document', async () => {
    const file = await files.write('kev.json', JSON.stringify(kevCatalog()));
    const { exitCode, out, err } = await run('import', 'kev', file, '--json');
    expect([exitCode, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual({
      ok: true,
      importId: expect.any(String),
      catalogue: 'kev',
      source: 'kev.json',
      rows: 2,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      added: 2,
      changed: 0,
      removed: 0,
      inForceFrom: expect.stringMatching(TIME),
      nextImportFrom: null,
    });
  });

  it('imports CVE states of a directory, then some of NVD: the last import wins, other CVEs stay', async () => {
    for (const [name, state] of [
      ['CVE-2024-0001', 'PUBLISHED'],
      ['CVE-2024-0002', 'REJECTED'],
    ] as const) {
      await files.write(`cvelist/2024/${name}.json`, JSON.stringify(cveRecord(name, { state })));
    }
    const list = await run('import', 'cve', `${files.path}/cvelist`);
    expect(list).toMatchObject({ exitCode: 0, out: expect.stringContaining('Imported cvelist: 2 rows') });
    const feeds = [
      await files.write('one.json', JSON.stringify(nvdFeed([nvdRecord('CVE-2024-0001', 'Rejected')]))),
      await files.write('two.json', JSON.stringify(nvdFeed([nvdRecord('CVE-2024-0003')]))),
    ];
    const nvd = await run('import', 'cve', ...feeds);
    expect(nvd.out).toMatch(
      /^Imported one\.json and 1 more: 2 rows .* 1 CVEs added, 1 changed, 0 removed\n$/,
    );
    expect(await rows('cve')).toEqual({
      'CVE-2024-0001': { state: 'REJECTED' },
      'CVE-2024-0002': { state: 'REJECTED' },
      'CVE-2024-0003': { state: 'PUBLISHED' },
    });
  });

  it('imports KEV with the due date and the use by ransomware', async () => {
    expect(await rows('kev')).toEqual({
      'CVE-2023-10009': { dateAdded: '2025-11-03', isUsedByRansomware: false, dueDate: '2025-11-24' },
      'CVE-2024-10002': { dateAdded: '2026-01-15', isUsedByRansomware: true, dueDate: '2026-02-05' },
    });
  });

  it('imports ATT&CK as STIX bundles', async () => {
    const enterprise = await files.write('enterprise-attack.json', JSON.stringify(attackBundle()));
    const { exitCode, out } = await run('import', 'attack', enterprise);
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(
        /^Imported enterprise-attack\.json: 4 rows of the attack catalogue, in force from .* on: 4 techniques added, 0 changed, 0 removed\n$/,
      ),
    ]);
    expect(await rows('attack')).toMatchObject({
      T1059: { name: 'Technique T1059', tactics: ['execution'], mitigations: ['M1038'], revoked: false },
      T1086: { revoked: true, revokedBy: 'T1059.001' },
    });
    const other = await files.write('ics.json', JSON.stringify(attackBundle([stixTechnique('T0803')])));
    expect((await run('import', 'attack', enterprise, other)).out).toMatch(/: 1 techniques added, 0 changed/);
    const again = await files.write('again.json', JSON.stringify(attackBundle([stixTechnique('T1059')])));
    expect((await run('import', 'attack', again)).out).toMatch(/: 0 techniques added, 1 changed, 0 removed/);
  });

  it('imports the mappings of several files as one list, with all techniques of a CVE', async () => {
    const more = ctidMappings();
    more.mapping_objects = more.mapping_objects.slice(0, 1);
    Object.assign(more.mapping_objects[0]!, { attack_object_id: 'T1068' });
    const paths = [
      await files.write('enterprise.csv', CTID_CSV),
      await files.write('mobile.json', JSON.stringify(more)),
    ];
    const { exitCode, out } = await run('import', 'ctid', ...paths);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/2 rows of the ctid .*: 2 CVEs added/)]);
    expect(await rows('ctid')).toEqual({
      'CVE-2024-10001': { techniques: ['T1068', 'T1078', 'T1190'] },
      'CVE-2024-10002': { techniques: ['T1204.002'] },
    });
  });

  it('says so if a file changes nothing', async () => {
    const { exitCode, out } = await run('import', 'kev', `${files.path}/kev.json`);
    expect([exitCode, out]).toEqual([
      0,
      'Imported kev.json: 2 rows of the kev catalogue, identical to the rows in force: nothing changed, and no score is recomputed\n',
    ]);
  });

  it.each([
    ['attack', 'kev.json', /kev\.json: is not a STIX bundle/],
    ['ctid', 'kev.json', /kev\.json: has no `mapping_objects`/],
    ['cve', 'kev.json', /kev\.json, record 1: is not a CVE record/],
    ['epss', 'kev.json', /kev\.json, line 1: must be `#model_version/],
    ['kev', 'enterprise-attack.json', /enterprise-attack\.json: has no vulnerabilities/],
    ['epss', 'enterprise.csv', /enterprise\.csv, line 1: must be `#model_version/],
  ])('rejects a file of another kind as %s, %s: nothing changes', async (catalogue, name, problem) => {
    const before = await run('status', '--json');
    const { exitCode, out, err } = await run('import', catalogue, `${files.path}/${name}`);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(problem);
    expect(err).toMatch(/nothing was imported: the catalogue in force did not change\n$/);
    expect(await run('status', '--json')).toEqual(before);
  });

  it.each([
    ['epss', 'cut.csv', EPSS_CSV.slice(0, -10), /cut\.csv, .*in the middle of a line/],
    ['epss', 'cut.gz', gzipSync(EPSS_CSV).subarray(0, -10), /cut\.gz: ends before its compressed data does/],
    [
      'kev',
      'bad.json',
      '{"vulnerabilities": [{"cveID": "x"}]}',
      /bad\.json, vulnerabilities\[0\]: `cveID` must be/,
    ],
  ])(
    'rejects a damaged %s file, %s: the catalogue in force stays',
    async (catalogue, name, content, problem) => {
      const before = await rows(catalogue);
      const { exitCode, out, err } = await run('import', catalogue, await files.write(name, content));
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toMatch(problem);
      expect(err).toMatch(/nothing was imported: the catalogue in force did not change\n$/);
      expect(await rows(catalogue)).toEqual(before);
      const { rows: left } = await site.database.pool.query(
        'select id from catalogue_imports where valid_from is null union all select import_id from catalogue_staged',
      );
      expect(left).toEqual([]);
    },
  );

  it('rejects a list that was truncated at the end of a line, and imports it with --force', async () => {
    const rows = kevCatalog().vulnerabilities;
    const before = await run('status', '--json');
    const short = { ...kevCatalog(), vulnerabilities: rows.slice(0, 1), count: 1 };
    const file = await files.write('short.json', JSON.stringify(short));
    const { exitCode, out, err } = await run('import', 'kev', file);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/the list has 1 CVEs, and the one in force 2: .*may be truncated/);
    expect(err).toMatch(/nothing was imported: .*\n.*with --force\n$/);
    expect(await run('status', '--json')).toEqual(before);
    expect((await run('import', 'kev', file, '--force')).out).toMatch(/0 CVEs added, 0 changed, 1 removed/);
    expect((await run('import', 'kev', `${files.path}/kev.json`)).exitCode).toBe(0);
  });

  it.each(['kev', 'epss'])(
    'rejects a directory without files as a list of %s, also with --force',
    async (kind) => {
      const before = await run('status', '--json');
      await files.write('empty/.keep', '');
      const { exitCode, err } = await run('import', kind, `${files.path}/empty`, '--force');
      expect(err).toMatch(/empty: has no (vulnerabilities|forecasts)/);
      expect(exitCode).toBe(2);
      expect(await run('status', '--json')).toEqual(before);
    },
  );

  it('says so if it fails once the log has it, and the next import finishes it', async () => {
    const { pool } = site.database;
    const file = await files.write('one.json', JSON.stringify(cveRecord('CVE-2024-0004')));
    await pool.query('alter table catalogue_rows rename to catalogue_rows_away');
    const { exitCode, out, err } = await run('import', 'cve', file);
    await pool.query('alter table catalogue_rows_away rename to catalogue_rows');
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/the import is in the log: it takes effect within a minute/);
    expect(await rows('cve')).not.toHaveProperty('CVE-2024-0004');
    expect((await run('import', 'kev', `${files.path}/kev.json`)).exitCode).toBe(0);
    expect(await rows('cve')).toHaveProperty('CVE-2024-0004');
  });

  it.each([
    [['import', 'epss'], /name the files to import, or an address with --url/],
    [['import', 'epss', 'x', '--url', 'http://127.0.0.1/x'], /name the files to import, or an address/],
    [['import', 'nvd', 'x'], /Allowed choices are attack, ctid, cve, epss, kev/],
    [['import', 'epss', '/nowhere/list.csv'], /cannot read or write \/nowhere\/list\.csv \(ENOENT\)/],
    [['import', 'epss', '--url', 'ftp://127.0.0.1/x'], /--url must be an HTTP or HTTPS address/],
    [['import', 'epss', '--url', 'http://a:b@127.0.0.1/x'], /--url must not contain a user name/],
  ])('answers 2 to %j', async (args, problem) => {
    const { exitCode, out, err } = await run(...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(problem);
  });

  it('imports a list that counts from a past day on, without a comment line', async () => {
    const [, ...lines] = EPSS_CSV.split('\n');
    const file = await files.write('past.csv', lines.join('\n'));
    const before = await rows('epss');
    const args = ['import', 'epss', file, '--effective-from', '2021-06-01', '--json'];
    const { exitCode, out } = await run(...args);
    expect([exitCode, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({
        added: 4,
        inForceFrom: '2021-06-01T00:00:00.000Z',
        nextImportFrom: expect.stringMatching(TIME),
      }),
    ]);
    expect(await rows('epss')).toEqual(before);
    const again = await run('import', 'kev', `${files.path}/kev.json`, '--effective-from', '2021-06-01');
    expect(again.out).toMatch(
      /in force from 2021-06-01T00:00:00\.000Z until the next import, at \d{4}-.*: 2 CVEs added, 0 changed, 0 removed\n$/,
    );
    const past = await site.database.pool.query(
      `select value, valid_to from catalogue_rows where catalogue = 'epss' and cve = 'CVE-2024-10001' order by valid_from`,
    );
    expect(past.rows).toEqual([
      { value: { probability: 0.00046, date: '2021-06-01' }, valid_to: expect.any(Number) },
      { value: { probability: 0.00046, date: '2026-05-30' }, valid_to: Number.POSITIVE_INFINITY },
    ]);
    const admin = await site.client('admin');
    const [act] = await admin.all('/api/v3/audit?action=catalogue.imported');
    expect(act).toMatchObject({ detail: { after: { effectiveFrom: '2021-06-01T00:00:00.000Z' } } });
  });

  it.each([
    ['2999-01-01', /It is in the future: expected an instant in the past/],
    [new Date(Date.now() + 60_000).toISOString(), /It is in the future/],
    ['yesterday', /Expected a day or an ISO 8601 time with its zone/],
    ['2026-02-30', /Expected a day/],
    ['2026-05-31T12:00:00', /Expected a day/],
    ['1969-12-31', /Expected a day/],
    ['', /Expected a day/],
  ])('answers 2 to --effective-from %s, and nothing changes', async (date, problem) => {
    const before = await run('status', '--json');
    const kev = `${files.path}/kev.json`;
    const { exitCode, out, err } = await run('import', 'kev', kev, '--effective-from', date);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(problem);
    expect(await run('status', '--json')).toEqual(before);
  });

  it('shows an import whose assets are still being marked as unfinished', async () => {
    const kev = async () =>
      JSON.parse((await run('status', '--json')).out).catalogues.find(
        ({ catalogue }: { catalogue: string }) => catalogue === 'kev',
      );
    const { importId, inForceFrom } = (await kev()).lastImport;
    const { pool } = site.database;
    await pool.query('update catalogue_imports set marking_from = 7 where id = $1', [importId]);
    expect((await kev()).unfinished).toMatchObject([{ importId, inForceFrom }]);
    expect((await run('status')).out).toMatch(
      new RegExp(
        `  not finished: kev\\.json, started ${TIME}, in force; assets are still being marked for scoring\n`,
      ),
    );
    await pool.query('update catalogue_imports set marking_from = null where id = $1', [importId]);
  });

  it('resumes an interrupted import, and status shows it until then', async () => {
    const lines = Array.from({ length: 7_000 }, (_, i) => `CVE-2025-${10_000 + i},0.25,0.5`);
    const csv = `#model_version:v1,score_date:2026-05-31T00:00:00Z\ncve,epss,percentile\n${lines.join('\n')}\n`;
    const file = await files.write('epss.csv', csv);
    const interrupted = importCatalogue(
      site.database.db,
      {
        catalogue: 'epss',
        source: 'epss.csv',
        read: async function* () {
          for (let i = 0; i < 6_000; i += 1) {
            yield { cve: `CVE-2025-${10_000 + i}`, value: { probability: 0.25, date: '2026-05-31' } };
          }
          throw new Error('killed');
        },
      },
      { settled: async () => {}, announce: async () => {} },
      Date.now,
    );
    await expect(interrupted).rejects.toThrow('killed');
    const { out } = await run('status');
    expect(out).toMatch(
      new RegExp(
        `  not finished: epss\\.csv, started ${TIME}, 5000 rows staged; run the import again to resume\n`,
      ),
    );
    const { catalogues } = JSON.parse((await run('status', '--json')).out);
    const epss = catalogues.find((one: { catalogue: string }) => one.catalogue === 'epss');
    expect(epss.unfinished).toMatchObject([{ source: 'epss.csv', stagedRows: 5_000 }]);
    const imported = JSON.parse((await run('import', 'epss', file, '--json')).out);
    expect(imported).toMatchObject({
      importId: epss.unfinished[0].importId,
      rows: 7_000,
      added: 7_000,
      changed: 0,
      removed: 4,
    });
    const after = JSON.parse((await run('status', '--json')).out);
    expect(after).toMatchObject({
      ok: true,
      catalogues: [
        { catalogue: 'attack', rows: 5 },
        { catalogue: 'ctid', rows: 2 },
        { catalogue: 'cve', rows: 4 },
        {
          catalogue: 'epss',
          rows: 7_000,
          lastImport: { source: 'epss.csv', contentHash: imported.contentHash, removed: 4 },
          unfinished: [],
        },
        { catalogue: 'kev', rows: 2, lastImport: { source: 'kev.json', added: 0 } },
      ],
      attack: [{ domain: 'enterprise', version: '18.1', techniques: 835 }, {}, {}],
    });
  });
});

describe('--url', () => {
  let server: Server;
  let address: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/latest') response.writeHead(302, { location: '/files/kev.json' }).end();
      else if (request.url === '/round') response.writeHead(307, { location: '/round' }).end();
      else if (request.url === '/files/kev.json') response.end(JSON.stringify(kevCatalog()));
      else if (request.url === '/broken.json') {
        response.writeHead(200, { 'content-length': 1_000 }).write('{');
        response.socket!.end();
      } else if (request.url !== '/silent') response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('fetches the file first, by way of a redirect', async () => {
    const { exitCode, out, err } = await run('import', 'kev', '--url', `${address}/latest`);
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/^Fetching: 1 MB\n(.*\n)*Reading: /)]);
    expect(out).toMatch(/^Imported latest: 2 rows of the kev catalogue, identical to the rows in force/);
  });

  it.each([
    ['/none', /127\.0\.0\.1:\d+ answered 404: nothing was imported/],
    ['/broken.json', /127\.0\.0\.1:\d+ closed the connection: nothing was imported/],
  ])('exits with 1 if %s is not available', async (path, problem) => {
    const { exitCode, out, err } = await run('import', 'kev', '--url', `${address}${path}`);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(problem);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('leaves no temporary file if %s ends it, with %i', async (signal, code) => {
    const temporary = await mkdtemp(join(tmpdir(), 'posture-interrupted-'));
    try {
      const asked = once(server, 'request');
      const launcher = fileURLToPath(new URL('../../posture.js', import.meta.url));
      const child = spawn(
        process.execPath,
        [launcher, ...['catalogue', 'import', 'kev', '--url', `${address}/silent`]],
        {
          env: { PATH: process.env.PATH, DATABASE_URL: site.database.url, TMPDIR: temporary },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      let err = '';
      child.stderr.on('data', (text) => {
        err += text;
      });
      await asked;
      expect(await readdir(temporary)).toEqual([expect.stringMatching(/^posture-catalogue-/)]);
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([code, null]);
      expect(await readdir(temporary)).toEqual([]);
      expect(err).not.toContain('posture:');
    } finally {
      await rm(temporary, { recursive: true });
    }
  });

  it('uses EGRESS_PROXY, which resolves the name', async () => {
    const proxy = await ForwardProxy.listen();
    try {
      proxy.route = () => ({ port: Number(new URL(address).port) });
      const url = 'http://publisher.invalid/latest';
      const { exitCode, out } = await runWith(
        { EGRESS_PROXY: proxy.url() },
        ...['import', 'kev', '--url', url],
      );
      expect([exitCode, out]).toEqual([0, expect.stringMatching(/^Imported latest: 2 rows/)]);
      expect(new Set(proxy.asked)).toEqual(new Set(['publisher.invalid:80']));
    } finally {
      await proxy.close();
    }
  });

  it('does not go past EGRESS_PROXY', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    const { exitCode, err } = await runWith(
      { EGRESS_PROXY: dead },
      'import',
      'kev',
      '--url',
      `${address}/latest`,
    );
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /the proxy 127\.0\.0\.1:\d+ \(EGRESS_PROXY\) cannot be reached.*: nothing was imported/,
    );
  });

  it('gives up on redirects without end', async () => {
    const { exitCode, err } = await run('import', 'kev', '--url', `${address}/round`);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/redirects more than 10 times/)]);
  });

  it('takes no more than the bound', async () => {
    const work = withDownload(`${address}/latest`, recordingTerminal({}), true, async () => 'done', 100);
    await expect(work).rejects.toThrow(/returned more than 100 bytes: nothing was imported/);
  });
});
