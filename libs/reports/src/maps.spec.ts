import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runPosture } from '../../../apps/cli/src/posture.ts';
import { recordingTerminal } from '../../../test/fixtures/cli/simulated-service.ts';
import { fixtureNamed } from '../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-maps-'));
});
afterAll(() => rm(dir, { recursive: true }));

const MAP = {
  name: 'sample',
  title: 'Sample tool (CSV)',
  unit: 'a row',
  source: 'Sample tool',
  kind: 'csv',
  forms: [{ columns: ['Host', 'Check', 'Risk'] }],
  skip: [{ when: { value: '{Risk}', is: ['ignore'] }, reason: 'ignored in the report' }],
  asset: { name: '{Host}', ipAddresses: '{Address}' },
  finding: {
    type: 'va',
    name: '{Check}',
    severity: { level: { value: '{Risk}', words: { Bad: 'high', So: 'low' } } },
    port: '{Port}',
    description: '{Text}',
    html: ['description'],
    lastSeen: '{Seen}',
  },
};
const CSV = `Exported today
Host,Address,Check,Risk,Port,Text,Seen,Owner
a.halden.example,10.0.0.1,Sample weakness,Bad,443,<p>Weak &amp; old</p>,1767225600,ana
b.halden.example,10.0.0.2,Sample weakness,ignore,,,,
,,Sample weakness,So,,,,
`;

async function written(name: string, content: unknown): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** A call without ZIPs, such as `--explain` and `--list`. */
async function run(args: string[], env: Record<string, string> = {}) {
  const terminal = recordingTerminal(env);
  const exitCode = await runPosture(['convert', ...args], terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

describe('--map', () => {
  it('reads a report by a map, with the counts of every format', async () => {
    const map = await written('sample.json', MAP);
    const { exitCode, out, signals } = await runConvert(dir, { 'a.csv': CSV }, '--map', map, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      files: [{ format: 'sample' }],
      read: 3,
      mapped: 1,
      listed: 2,
      notMapped: expect.arrayContaining([
        { text: 'ignored in the report', count: 1 },
        { text: 'names no asset: set the asset name', count: 1 },
      ]),
    });
    expect(signals).toMatchObject([
      {
        name: 'Sample weakness',
        description: 'Weak & old',
        source: { name: 'Sample tool' },
        lastSeen: '2026-01-01T00:00:00.000Z',
        entity: { name: 'a.halden.example', entityAttributes: { ipAddresses: [{ ipv4: '10.0.0.1' }] } },
        securityContexts: [{ type: 'va', severity: { level: 'high' }, port: 443 }],
      },
    ]);
  });

  it('reads times without separators, and notes what is no time', async () => {
    const map = await written('times.json', MAP);
    const row = (host: string, seen: string) => `${host},,Sample weakness,Bad,,,${seen},`;
    const csv = [
      'Host,Address,Check,Risk,Port,Text,Seen,Owner',
      row('a', '20240506121800'),
      row('b', '20240506'),
      row('c', '1767225600000'),
      row('d', '99990506121800'),
    ].join('\n');
    const { out, signals } = await runConvert(dir, { 'a.csv': csv }, '--map', map, '--json');
    expect(Object.fromEntries(signals.map(({ entity, lastSeen }) => [entity.name, lastSeen]))).toEqual({
      a: '2024-05-06T12:18:00.000Z',
      b: '2024-05-06T00:00:00.000Z',
      c: '2026-01-01T00:00:00.000Z',
      d: undefined,
    });
    expect(JSON.parse(out).notes).toContainEqual({
      text: 'lastSeen is not a known time: left out',
      count: 1,
    });
  });

  it('rejects a report that does not have its marks, and writes nothing', async () => {
    const map = await written('sample.json', MAP);
    const other = await runConvert(dir, { 'a.csv': 'Host,Check\na,b\n' }, '--map', map);
    expect(other).toMatchObject({ exitCode: 2, zips: [], left: [] });
    expect(other.err).toContain('has no row with the column names of this format');
    const json = await runConvert(dir, { 'a.json': '[]' }, '--map', map);
    expect(json.err).toContain('is not a report of Sample tool (CSV): it is JSON');
  });

  it('cannot be combined with --from, and its errors name path and line', async () => {
    const map = await written('sample.json', MAP);
    const both = await runConvert(dir, { 'a.csv': CSV }, '--map', map, '--from', 'nessus');
    expect([both.exitCode, both.err]).toEqual([2, expect.stringContaining('either --from or --map')]);
    const bad = await written('bad.json', { ...MAP, kind: 'toml' });
    const { exitCode, err } = await runConvert(dir, { 'a.csv': CSV }, '--map', bad);
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/bad\.json, line 1: kind must be one of/)]);
  });

  it('reads texts of the document that follow the findings, and lists in lists', async () => {
    const map = await written('nested.json', {
      ...MAP,
      kind: 'json',
      forms: [{ marks: ['$.tool=nested'], records: [{ list: '$.groups[]', each: ['checks[]', 'hits[]'] }] }],
      skip: undefined,
      asset: { isApplication: true, seenIn: ['document'], name: ['{$.meta.target}', '{^.^.^.meta.target}'] },
      finding: { type: '{^.^.type}', name: '{^.title}', instance: '{.}', tags: { tool: '{^.^.^.tool}' } },
    });
    const report = {
      tool: 'nested',
      groups: [
        {
          type: 'ca',
          checks: [
            { title: 'A', hits: ['x', 'y'] },
            { title: 'B', hits: [] },
          ],
        },
        { type: 'other', checks: [{ title: 'C', hits: ['z'] }] },
      ],
      meta: { target: 'shop' },
    };
    const { out, signals } = await runConvert(
      dir,
      { 'a.json': JSON.stringify(report) },
      '--map',
      map,
      '--json',
    );
    expect(JSON.parse(out)).toMatchObject({
      read: 3,
      mapped: 2,
      notMapped: [{ text: 'has a type that the map does not translate', count: 1 }],
    });
    expect(signals).toMatchObject([
      {
        name: 'A',
        entity: { name: 'shop' },
        securityContexts: [
          { detectionId: 'x', tags: { tool: ['nested'] } },
          { detectionId: 'y', tags: { tool: ['nested'] } },
        ],
      },
    ]);
  });
});

it('a map with two lists of one element name in XML reads each element in its own list', async () => {
  const map = await written('lists.json', {
    ...MAP,
    kind: 'xml',
    skip: undefined,
    forms: [
      {
        marks: ['/scan'],
        records: [{ list: '/scan/open/item' }, { list: '/scan/ignored/item', skip: 'ignored in the report' }],
      },
    ],
    asset: { name: 'web09' },
    finding: { type: 'va', name: '{title}' },
  });
  const xml =
    '<scan><open><item><title>a</title></item></open><ignored><item><title>b</title></item></ignored></scan>';
  const { out } = await runConvert(dir, { 'a.xml': xml }, '--map', map, '--json');
  expect(JSON.parse(out)).toMatchObject({
    read: 2,
    mapped: 1,
    listed: 1,
    notMapped: [{ text: 'ignored in the report', count: 1 }],
  });
});

describe('POSTURE_MAPS', () => {
  it('is detected like every format, and listed', async () => {
    const folder = join(dir, 'own');
    await mkdir(folder);
    await written('own/sample.json', MAP);
    await written('own/readme.txt', 'not a map');
    const env = { POSTURE_MAPS: folder };
    const report = await written('own.csv', CSV);
    const { exitCode, out } = await run([report, '--out', join(dir, 'own.zip'), '--json'], env);
    expect([exitCode, JSON.parse(out).files]).toEqual([0, [{ file: report, format: 'sample' }]]);
    const { out: list } = await run(['--list', '--json'], env);
    expect(JSON.parse(list).formats.at(-1)).toMatchObject({ name: 'sample', title: 'Sample tool (CSV)' });
    expect((await run(['--help'], env)).out).toMatch(/sample +Sample tool \(CSV\)/);
  });

  it('a report that two formats recognize is an error that names them', async () => {
    const folder = join(dir, 'twins');
    await mkdir(folder);
    await written('twins/one.json', { ...MAP, name: 'one' });
    await written('twins/two.json', { ...MAP, name: 'two', forms: [{ columns: ['Host', 'Check'] }] });
    const report = await written('twins.csv', CSV);
    const env = { POSTURE_MAPS: folder };
    const { exitCode, err } = await run([report, '--out', join(dir, 'twins.zip')], env);
    expect(exitCode).toBe(2);
    expect(err).toContain('can be of several formats: one, two');
    expect(err).toContain('set --from to one of them');
    const named = await run([report, '--from', 'two', '--out', join(dir, 'twins.zip')], env);
    expect(named.exitCode).toBe(0);
  });

  it('rejects a folder that is missing, a wrong map, and a name that is taken; --help states the problem', async () => {
    const missing = await run(['--list'], { POSTURE_MAPS: join(dir, 'none') });
    expect([missing.exitCode, missing.err]).toEqual([
      2,
      expect.stringContaining('cannot read the folder of maps'),
    ]);
    for (const [name, map, words] of [
      ['taken', { ...MAP, name: 'trivy' }, 'two formats have the name trivy'],
      ['wrong', { ...MAP, kind: 7 }, 'line 1: kind must be one of'],
    ] as const) {
      const folder = join(dir, name);
      await mkdir(folder);
      await written(`${name}/a.json`, map);
      const env = { POSTURE_MAPS: folder };
      expect(await run(['--list'], env)).toMatchObject({ exitCode: 2, err: expect.stringContaining(words) });
      expect(await run(['--help'], env)).toMatchObject({ exitCode: 0, out: expect.stringContaining(words) });
    }
  });
});

describe('--explain', () => {
  it('shows which field became what, and what is not read', async () => {
    const { fileName, content } = fixtureNamed('Semgrep');
    const report = await written(fileName, content);
    const { exitCode, out } = await run(['--explain', report, '--asset', 'shop']);
    expect(exitCode).toBe(0);
    const lines = out.split('\n').map((line) => line.trim());
    expect(lines[0]).toBe(`${report} (semgrep)`);
    expect(lines).toEqual(
      expect.arrayContaining([
        'results[0]: rules.sample-injection',
        'name: rules.sample-injection <- check_id',
        'asset.name: shop <- --asset',
        'detectionId: src/a.py:3:5 <- path, start.line, start.col',
        'not read: end.line, end.col',
        'results[1]: rules.sample-style',
        'not mapped: ignored by a comment in the code',
      ]),
    );
  });

  it('states that a format in code does not know its fields', async () => {
    const { fileName, content } = fixtureNamed('Grype');
    const { exitCode, out } = await run(['--explain', await written(fileName, content)]);
    expect(exitCode).toBe(0);
    expect(out).toContain('This format is in code');
    expect(out).not.toContain('<-');
  });

  it('prints nothing that moves the cursor', async () => {
    const report = await written('evil.csv', CSV.replace('Sample weakness', 'Sample\u001b[2J weakness'));
    const { out } = await run(['--explain', report, '--map', await written('sample.json', MAP)]);
    expect(out).toContain('Sample\ufffd[2J weakness');
    expect(out).not.toContain('\u001b');
  });

  it('rejects a report that cannot be read', async () => {
    const report = await written('cut.json', fixtureNamed('Semgrep').content.slice(0, -5));
    const { exitCode, err } = await run(['--explain', report]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('cut.json')]);
  });
});

describe('hostile reports', () => {
  const gitleaks = (fields: object) =>
    JSON.stringify([{ RuleID: 'r', Description: 'd', StartLine: 1, File: 'f', Commit: 'c', ...fields }]);

  it('reach no prototype and pollute none', async () => {
    const content = gitleaks({ Date: 'x' }).replace('"RuleID"', '"__proto__":{"polluted":1},"RuleID"');
    const { exitCode, signals } = await runConvert(dir, { 'a.json': content }, '--asset', 'shop');
    expect([exitCode, signals.length]).toEqual([0, 1]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('with many findings around one long list take time in proportion to their size', async () => {
    const hits = Array.from({ length: 5_000 }, (_, i) => ({ id: `h${i}` }));
    const map = await written('wide.json', {
      ...MAP,
      kind: 'json',
      forms: [{ marks: ['$.tool'], records: [{ list: '$.groups[]', each: ['hits[]'] }] }],
      skip: undefined,
      asset: { name: 'shop' },
      finding: {
        type: 'va',
        name: 'W',
        instance: '{id}',
        description: '{^.hits[].id}',
        tags: { ids: '{^.hits[].id}' },
      },
    });
    const content = JSON.stringify({ tool: 't', groups: [{ hits }] });
    // Not the time that passes: other processes may need the cores.
    const before = process.cpuUsage();
    const { exitCode, out } = await runConvert(dir, { 'a.json': content }, '--map', map, '--json');
    expect([exitCode, JSON.parse(out)]).toMatchObject([0, { read: 5_000 }]);
    expect(process.cpuUsage(before).user).toBeLessThan(50_000_000);
  });
});
