import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOOKALIKES } from '../../../test/fixtures/convert/lookalikes.ts';
import { FIXTURES, fixtureNamed } from '../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../test/fixtures/convert/run-convert.ts';
import { knownFormats } from './formats.ts';
import { listOf, objectOf } from './reading/json-fields.ts';
import { openReport } from './reading/report-file.ts';
import { formatsOf } from './recognise.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-recognise-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** The messages of a call about one file, without its path. */
async function convertFile(name: string, content: string | Buffer, ...args: string[]) {
  const { exitCode, err, zips, signals, left, out } = await runConvert(dir, { [name]: content }, ...args);
  const words = err.split(`/${name}`).at(-1)!.replace(/^: /, '').trim();
  return { exitCode, words, zips: zips.length, signals, left, out };
}

const refused = (words: unknown = expect.any(String)) =>
  expect.objectContaining({ exitCode: 2, words, zips: 0, left: [] });

const FORMATS = knownFormats(undefined);
const NAMES = FORMATS.map(({ name }) => name);
const REPLACING = ['--asset', 'shop', '--replace', 'va'];

describe('a file that is not of the format that --from names', () => {
  it.each(FIXTURES)('$title: is rejected by every other format, and empties no asset', async (fixture) => {
    for (const name of NAMES.filter((each) => each !== fixture.format)) {
      const converted = await convertFile(fixture.fileName, fixture.content, '--from', name, ...REPLACING);
      expect({ name, ...converted }).toEqual(refused());
    }
  });

  it.each(NAMES)('%s: rejects an empty file, null and {}', async (name) => {
    for (const content of ['', ' \n', 'null', '{}', '{}\n']) {
      const converted = await convertFile('a.json', content, '--from', name, ...REPLACING);
      expect({ content, ...converted }).toEqual(refused());
    }
  });

  it.each([
    ['trivy', 'CycloneDX VEX', 'is not a Trivy report: it has no Results'],
    ['cyclonedx', 'Trivy', 'is not a CycloneDX document with vulnerabilities: it has no vulnerabilities'],
    ['sarif', 'Grype', 'is not a SARIF 2.1.0 log with results: it has no results in runs'],
    ['grype', 'SARIF', 'is not a Grype report: it has no matches'],
    ['kubescape', 'Trivy', 'is not a Kubescape report: it has no results'],
    ['nessus', 'ZAP XML', 'is not a Nessus v2 report: it has no Report in NessusClientData_v2'],
    ['nessus', 'ZAP JSON', 'is not a Nessus v2 report: it is JSON'],
    ['qualys', 'DefectDojo CSV', 'has no row with the column names of this format'],
    ['nuclei', 'OCSF lines, with Prowler', 'is not a Nuclei report: it has no template-id'],
    ['ocsf', 'Nuclei JSON', 'is not a file of OCSF events: it has no class_uid'],
  ])('%s of %s: reports the missing part', async (name, title, words) => {
    const { fileName, content } = fixtureNamed(title);
    expect(await convertFile(fileName, content, '--from', name)).toEqual(refused(words));
  });
});

const json = (value: unknown): string => JSON.stringify(value);
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a report without its list of findings', () => {
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.5', metadata: { component: { name: 'shop' } } };
  const run = { tool: { driver: { name: 'Sample' } } };

  it.each([
    ['an SBOM', 'a.json', json(bom), /is not a CycloneDX document with vulnerabilities: it has no vuln/],
    [
      'an SBOM in XML',
      'a.xml',
      '<bom xmlns="http://cyclonedx.org/schema/bom/1.5"><components><component><name>a</name></component></components></bom>',
      /is not a CycloneDX document/,
    ],
    [
      'Trivy that found nothing to scan',
      'a.json',
      json({ SchemaVersion: 2, ArtifactName: 'shop', Metadata: {} }),
      /is not a Trivy report: it has no Results/,
    ],
    ['SARIF of rules alone', 'a.sarif', json({ version: '2.1.0', runs: [run] }), /it has no results in runs/],
    ['SARIF without runs', 'a.sarif', json({ version: '2.1.0', runs: [] }), /it has no results in runs/],
    [
      'an answer of GMP without details',
      'a.xml',
      '<get_reports_response status="200"><report id="r"><report id="r"><host><ip>10.0.0.1</ip></host></report></report></get_reports_response>',
      /is not an OpenVAS report: it has no results/,
    ],
    [
      'Qualys detections of no host',
      'a.xml',
      '<HOST_LIST_VM_DETECTION_OUTPUT><RESPONSE><DATETIME>x</DATETIME></RESPONSE></HOST_LIST_VM_DETECTION_OUTPUT>',
      /is not a Qualys report of VM or VMDR: it has no HOST_LIST/,
    ],
  ])('%s is rejected, and makes no asset clean', async (_, name, content, words) => {
    expect(await convertFile(name, content, '--asset', 'shop')).toEqual(
      refused(expect.stringMatching(words)),
    );
  });

  it('makes none of its parts clean: a run of SARIF, a site of ZAP', async () => {
    const repository = (name: string) => [{ repositoryUri: `https://halden.example/${name}` }];
    const sarif = {
      version: '2.1.0',
      runs: [
        { ...run, versionControlProvenance: repository('rules-alone') },
        { ...run, results: [], versionControlProvenance: repository('clean') },
      ],
    };
    const { signals } = await convertFile('a.sarif', json(sarif));
    expect(signals.map(({ entityOnly, entity }) => [entityOnly, entity.name])).toEqual([
      [true, 'https://halden.example/clean'],
    ]);
    const site = (host: string) => ({ '@name': `https://${host}`, '@host': host, '@port': '443' });
    const zap = {
      '@version': '2.16.0',
      '@generated': 'x',
      site: [site('unseen.halden.example'), { ...site('clean.halden.example'), alerts: [] }],
    };
    const xml =
      '<OWASPZAPReport version="2.16.0"><site name="https://unseen.halden.example" host="unseen.halden.example"></site>' +
      '<site name="https://clean.halden.example" host="clean.halden.example"><alerts></alerts></site></OWASPZAPReport>';
    for (const [name, content] of [
      ['a.json', json(zap)],
      ['a.xml', xml],
    ] as const) {
      const converted = await convertFile(name, content);
      expect(converted.signals.map(({ entity }) => entity.name)).toEqual(['clean.halden.example']);
    }
  });
});

it('takes a host of OpenVAS that only its results name for one machine', async () => {
  const result =
    '<result><name>W</name><host>10.0.0.9<hostname>db09</hostname></host><threat>Low</threat></result>';
  const host = '<host><ip>10.0.0.9</ip></host>';
  for (const parts of [`${host}<results>${result}</results>`, `<results>${result}</results>${host}`]) {
    const report = `<report id="r" format_id="f"><report>${parts}</report></report>`;
    const { signals } = await convertFile('a.xml', report);
    expect(signals.map(({ name, entity }) => [name, entity.name])).toEqual([['W', 'db09']]);
  }
});

describe('a report in which nothing was found', () => {
  const clean = json({ SchemaVersion: 2, ArtifactName: 'shop', Results: [{ Target: 'shop (debian 12)' }] });

  it('makes its asset clean', async () => {
    const { exitCode, signals } = await convertFile('a.json', clean);
    expect(exitCode).toBe(0);
    expect(signals).toMatchObject([{ entityOnly: true, entity: { name: 'shop' } }]);
  });

  it('is rejected with --replace, which would empty the asset, unless --allow-empty is given', async () => {
    expect(await convertFile('a.json', clean, '--replace', 'va')).toEqual(
      refused(expect.stringMatching(/none of its findings is mapped.*--allow-empty/)),
    );
    const { exitCode, signals } = await convertFile('a.json', clean, '--replace', 'va', '--allow-empty');
    expect(exitCode).toBe(0);
    expect(signals).toHaveLength(1);
  });

  it('is also rejected together with reports with findings, and if everything is listed', async () => {
    const reports = { 'a.json': fixtureNamed('Trivy').content, 'b.json': clean };
    const { exitCode, err, zips } = await runConvert(dir, reports, '--replace', 'va');
    expect({ exitCode, zips }).toEqual({ exitCode: 2, zips: [] });
    expect(err).toContain('b.json');
    const critical = ['--replace', 'va', '--min-severity', 'critical'];
    expect(await convertFile('a.xml', fixtureNamed('ZAP XML').content, ...critical)).toEqual(refused());
  });

  it('may be an empty list if a format is a bare list, named with --from', async () => {
    for (const name of ['nuclei', 'ocsf', 'trivy']) {
      expect(await convertFile('a.json', '[]', '--from', name)).toMatchObject({ exitCode: 0, zips: 0 });
      expect(await convertFile('a.json', '[]', '--from', name, ...REPLACING)).toEqual(refused());
    }
    expect(await convertFile('a.json', '[]')).toEqual(refused());
  });
});

describe('a report of another tool that looks like one of ours', () => {
  it.each(LOOKALIKES)('$title is rejected, also with --from $like', async ({ name, content, like }) => {
    expect(await convertFile(name, content, '--asset', 'shop')).toEqual(refused());
    expect(await convertFile(name, content, '--asset', 'shop', '--from', like)).toEqual(refused());
  });
});

describe('files that identify themselves late', () => {
  const long = 'x'.repeat(70_000);

  it('is recognised by its first elements, and judged at its end', async () => {
    const results = [
      { ruleId: 'r', message: { text: long } },
      { ruleId: 'r', message: { text: 'y' } },
    ];
    const log = { runs: [{ results }], version: '2.1.0' };
    expect(await convertFile('a.json', json(log), '--asset', 'shop')).toMatchObject({ exitCode: 0, zips: 1 });
    const older = { ...log, version: '1.0.0' };
    expect(await convertFile('a.json', json(older), '--asset', 'shop')).toEqual(
      refused('is not a SARIF 2.1.0 log with results: its version is not 2.1.0'),
    );
  });

  it('is rejected if it is another tool’s in the end', async () => {
    const finding = { title: 'A', severity: 'High', description: long };
    const report = { findings: [finding, { ...finding, findingArn: 'arn:aws:inspector2:x' }] };
    expect(await convertFile('a.json', json(report), '--asset', 'shop')).toEqual(
      refused('is not a DefectDojo report of generic findings: it has findingArn in findings'),
    );
  });
});

describe('a report of ordinary size', () => {
  const HEAD_CHARS = 65_536;
  const repeated = <Item>(list: Item[]): Item[] => {
    const count = Math.ceil(HEAD_CHARS / (json(list).length - 1));
    return Array.from({ length: count }, () => list).flat();
  };
  /** @param names of a list or of an object of records: `runs`, `[]`, `results`, `[]` */
  function lengthened(value: unknown, [name, ...rest]: string[]): unknown {
    if (value === undefined) return value;
    if (name === '[]')
      return rest.length === 0
        ? repeated(listOf(value))
        : listOf(value).map((each) => lengthened(each, rest));
    const members = objectOf(value);
    if (name !== undefined) return { ...members, [name]: lengthened(members[name], rest) };
    return Object.fromEntries(
      repeated(Object.entries(members)).map(([key, each], i) => [`${key}${i}`, each]),
    );
  }
  const recognised = async (content: unknown) => {
    const path = join(dir, 'long.json');
    await writeFile(path, json(content));
    return formatsOf(await openReport(path), FORMATS).map(({ name }) => name);
  };

  it.each(FIXTURES.filter(({ content }) => isJson(content)))(
    '$title: is recognised if its list is longer than the beginning of the file',
    async ({ format, content }) => {
      const value = JSON.parse(content);
      const { forms } = FORMATS.find(({ name }) => name === format)!;
      const lists = forms.flatMap((form) => (form.syntax === 'json' ? form.lists : []));
      for (const list of new Set(lists)) {
        const names = list
          .slice(1)
          .replaceAll('[]', '.[]')
          .split('.')
          .filter((name) => name !== '');
        const part = names.reduce((around, name) => (name === '[]' ? around?.[0] : around?.[name]), value);
        if (part !== undefined && names.length > 0)
          expect(await recognised(lengthened(value, names))).toEqual([format]);
      }
    },
  );

  const counts = { info: 0, low: 0, moderate: 0, high: 0, critical: 0 };
  const vulnerability = { id: 'CVE-2024-6663', severity: 'Low' };
  const artifact = { name: 'libc', version: '2.36' };
  it.each([
    [
      'prisma-cloud',
      {
        results: [
          {
            id: 'sha256:aa',
            name: 'shop:1.2',
            distro: 'Debian GNU/Linux 12',
            packages: repeated([{ type: 'os', name: 'libc', version: '2.36', licenses: ['GPL-2'] }]),
            complianceDistribution: { total: 0 },
            vulnerabilityDistribution: { total: 0 },
          },
        ],
      },
    ],
    [
      'npm-audit-6',
      {
        actions: [
          { action: 'review', module: 'sample', resolves: repeated([{ id: 106, path: '.>other>sample' }]) },
        ],
        advisories: {},
        muted: [],
        metadata: { vulnerabilities: counts, totalDependencies: 3 },
      },
    ],
    [
      'grype',
      {
        matches: [],
        ignoredMatches: repeated([{ vulnerability, artifact }]),
        source: { type: 'image', target: { userInput: 'shop:1.2' } },
        descriptor: { name: 'grype', version: '0.90.0' },
      },
    ],
  ])('%s: is recognised if another list comes before the members of its end', async (format, report) => {
    expect(await recognised(report)).toEqual([format]);
    const { exitCode, signals } = await convertFile('a.json', json(report), '--asset', 'shop');
    expect({ exitCode, entityOnly: signals[0].entityOnly }).toEqual({ exitCode: 0, entityOnly: true });
  });
});

it('reads the list that a file has, also if its beginning shows no form of the format', async () => {
  const { hotspots, paging, components } = JSON.parse(fixtureNamed('SonarQube hotspots').content);
  const padded = components.concat({ key: 'shop', name: 'x'.repeat(70_000) });
  const sorted = json({ components: padded, hotspots, paging });
  const { exitCode, signals } = await convertFile('a.json', sorted, '--from', 'sonarqube');
  expect({ exitCode, names: signals.map(({ name }) => name) }).toEqual({
    exitCode: 0,
    names: ['typescript:S6268'],
  });
});

describe('a document that is nested too deep', () => {
  const MEGABYTE = 1_048_576;
  const xml = (depth: number) => `<NessusClientData_v2><Report>${'<a>'.repeat(depth)}`;

  it.each([
    ['lists of JSON', 'a.json', `{"bomFormat":"CycloneDX","vulnerabilities":${'['.repeat(MEGABYTE)}`, 'byte'],
    [
      'objects of JSON',
      'a.json',
      `{"bomFormat":"CycloneDX","vulnerabilities":[${'{"a":'.repeat(200_000)}`,
      'byte',
    ],
    [
      'lists of JSON that nothing reads',
      'a.json',
      `{"bomFormat":"CycloneDX","a":${'['.repeat(MEGABYTE)}`,
      'byte',
    ],
    ['a line of JSON', 'a.jsonl', `{"template-id":"t","info":${'['.repeat(MEGABYTE)}`, 'line 1'],
    ['an array of records', 'a.json', `[{"template-id":"t","info":${'['.repeat(MEGABYTE)}`, 'byte'],
    ['elements of XML', 'a.nessus', xml(3 * MEGABYTE), 'line 1'],
    [
      'an element of XML that is read',
      'a.nessus',
      xml(0).concat('<ReportHost><ReportItem>', '<a>'.repeat(MEGABYTE)),
      'line 1',
    ],
  ])('%s: is rejected with its place, in bounded time', async (_, name, content, place) => {
    const { exitCode, err } = await runConvert(dir, { [name]: content });
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: expect.stringMatching('is nested deeper than 1,000 levels'),
    });
    expect(err).toContain(`, ${place}`);
  });

  it('may be a thousand deep', async () => {
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const bom = (depth: number) => `{"bomFormat":"CycloneDX","a":${deep(depth)},"vulnerabilities":[]}`;
    expect(await convertFile('a.json', bom(999))).toMatchObject({ exitCode: 0 });
    expect(await convertFile('a.json', bom(1_000))).toEqual(refused(expect.stringMatching('nested deeper')));
  });
});

describe('a report that is cut off', () => {
  it.each(FIXTURES.filter(({ content }) => /^\s*[<[{]/.test(content)))(
    '$title: is rejected with the position of its end',
    async ({ fileName, content, format }) => {
      const half = content.slice(0, Math.floor(content.length * 0.6));
      const { exitCode, err, zips } = await runConvert(dir, { [fileName]: half }, '--from', format);
      expect({ exitCode, zips }).toEqual({ exitCode: 2, zips: [] });
      expect(err).toMatch(new RegExp(`, line ${half.split('\n').length}(, column \\d+)?: `));
    },
  );
});
