import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-sarif-'));
});
afterAll(() => rm(dir, { recursive: true }));

const convertRun = (run: object, version = '2.1.0') =>
  runConvert(
    dir,
    { 'a.sarif': JSON.stringify({ runs: [{ tool: { driver: { name: 'Sample' } }, ...run }], version }) },
    ...['--asset', 'shop', '--json'],
  );

/** The instances of the only finding of a run. */
async function instancesOf(run: object) {
  const { signals } = await convertRun(run);
  expect(signals).toHaveLength(1);
  return signals[0].securityContexts ?? [signals[0].securityContext];
}

it('takes the URL of the repository for the asset, without its user and password', async () => {
  const repositoryUri = 'https://gitlab-ci-token:glcbt-S@CRET@gitlab.halden.example/g/p.git';
  const run = {
    tool: { driver: { name: 'Sample' } },
    versionControlProvenance: [{ repositoryUri }],
    results: [{ ruleId: 'r', message: { text: 'm' } }],
  };
  const content = JSON.stringify({ runs: [run], version: '2.1.0' });
  const { signals } = await runConvert(dir, { 'a.sarif': content });
  expect(signals.map(({ entity }) => entity.name)).toEqual(['https://gitlab.halden.example/g/p.git']);
  expect(JSON.stringify(signals)).not.toContain('gitlab-ci-token');
});

it('takes --asset for the asset, without user and password', async () => {
  const content = JSON.stringify({
    runs: [{ tool: { driver: { name: 'Sample' } }, results: [] }],
    version: '2.1.0',
  });
  const url = 'ssh://git:secret@gitlab.halden.example/g/p.git';
  const { signals } = await runConvert(
    dir,
    { 'a.sarif': content },
    ...['--asset', url, '--replace', 'va', '--allow-empty'],
  );
  expect(signals.map(({ entity }) => entity.name)).toEqual(['ssh://gitlab.halden.example/g/p.git']);
});

const at = (uri: string, startLine: number) => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine } },
});

it('takes the name of a member of all objects for an unknown word', async () => {
  const result = { ruleId: 'r', message: { text: 'm' }, level: 'toString', kind: 'constructor' };
  const [instance] = await instancesOf({ results: [result] });
  expect(instance).toMatchObject({ status: { complianceStatus: 'fail' }, severity: { level: 'medium' } });
});

it('reads a list of any length', async () => {
  const properties = { tags: [...Array.from({ length: 300_000 }, () => 'a'), 'CVE-2024-1234'] };
  const [instance] = await instancesOf({ results: [{ ruleId: 'r', message: { text: 'm' }, properties }] });
  expect(instance.standardsMapping).toContainEqual({ name: 'cve', value: ['CVE-2024-1234'] });
});

describe('the places of a SARIF result', () => {
  const placesOf = async (run: object) =>
    (await instancesOf(run)).map(({ detectionId }: { detectionId?: string }) => detectionId);

  it('are an instance each', async () => {
    const result = { ruleId: 'r', message: { text: 'm' }, locations: [at('a.ts', 1), at('b.ts', 2)] };
    expect(await placesOf({ results: [result] })).toEqual(['a.ts:1', 'b.ts:2']);
  });

  it('given by index are found in the run, before or after its results', async () => {
    const indexed = (index: number) => ({
      ruleId: 'r',
      message: { text: 'm' },
      locations: [{ physicalLocation: { artifactLocation: { index }, region: { startLine: 3 } } }],
    });
    const results = [indexed(0), indexed(1), indexed(7), indexed(-1)];
    const artifacts = [{ location: { uri: 'a.ts' } }, { location: { uri: 'b.ts' } }];
    expect(await placesOf({ results, artifacts })).toEqual(['a.ts:3', 'b.ts:3', undefined]);
    expect(await placesOf({ artifacts, results })).toEqual(['a.ts:3', 'b.ts:3', undefined]);
  });

  it('in code without files are given by index too', async () => {
    const indexed = (index: number) => ({
      ruleId: 'r',
      message: { text: 'm' },
      locations: [{ logicalLocations: [{ index }] }],
    });
    const logicalLocations = [{ fullyQualifiedName: 'shop::pay' }, { name: 'refund' }];
    expect(await placesOf({ results: [indexed(0), indexed(1)], logicalLocations })).toEqual([
      'shop::pay',
      'refund',
    ]);
  });

  it('are counted, also of results that are suppressed', async () => {
    const locations = [at('a.ts', 1), at('b.ts', 2)];
    const results = [
      { ruleId: 'r', message: { text: 'm' }, locations },
      { ruleId: 'r', message: { text: 'm' }, locations, suppressions: [{ kind: 'inSource' }] },
      { ruleId: 'r', message: { text: 'm' }, locations: [] },
    ];
    expect(JSON.parse((await convertRun({ results })).out)).toMatchObject({ read: 5, mapped: 3, listed: 2 });
  });
});

it.each([
  [[], 1],
  [[{ kind: 'inSource' }], 0],
  [[{ status: 'accepted' }, { kind: 'external' }], 0],
  [[{ status: 'accepted' }, { status: 'rejected' }], 1],
  [[{ status: 'underReview' }, { status: 'accepted' }], 1],
])('a SARIF result with the suppressions %j: %d are mapped', async (suppressions, mapped) => {
  const results = [{ ruleId: 'r', message: { text: 'm' }, suppressions }];
  expect(JSON.parse((await convertRun({ results })).out)).toMatchObject({ read: 1, mapped });
});

describe('the data of a SARIF result', () => {
  it('of CWE counts in addition to its rule', async () => {
    const cwe = ['CWE-94: Code injection', '79'];
    const results = [
      { ruleId: 'r', message: { text: 'm' }, properties: { cwe } },
      { ruleId: 'r', message: { text: 'm' }, properties: { cwe: 327 } },
    ];
    const told = (await instancesOf({ results })).map(
      ({ standardsMapping }: { standardsMapping: { name: string; value: string[] }[] }) =>
        standardsMapping.find(({ name }) => name === 'cwe')?.value,
    );
    expect(told).toEqual([['CWE-94', 'CWE-79'], ['CWE-327']]);
  });

  it.each([
    ['HIGH', { level: 'high' }],
    ['Critical', { level: 'critical' }],
    ['7.5', { value: 7.5, level: 'high' }],
    ['unheard of', { level: 'medium' }],
  ])('of its security-severity counts as a word and as a score: %s', async (word, severity) => {
    const rules = [{ id: 'r', properties: { 'security-severity': word } }];
    const results = [{ ruleId: 'r', message: { text: 'm' } }];
    const [instance] = await instancesOf({ results, tool: { driver: { name: 'Sample', rules } } });
    expect(instance.severity).toEqual(severity);
  });
});

it.each(['1.0.0', '2.0.0', '2.0.0-csd.2.beta.2018-10-10', '2.2'])(
  'SARIF %s is rejected, wherever its version stands',
  async (version) => {
    const { exitCode, out, zips } = await convertRun({ results: [] }, version);
    expect({ exitCode, zips }).toEqual({ exitCode: 2, zips: [] });
    expect(out).toMatch(/is not a SARIF 2\.1\.0 log with results: its version is not 2\.1\.0/);
  },
);

it('a run that failed replaces nothing, and is noted otherwise', async () => {
  const content = (executionSuccessful: boolean) =>
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Sample' } },
          results: [{ ruleId: 'r', message: { text: 'm' } }],
          invocations: [{ executionSuccessful: true }, { executionSuccessful }],
        },
      ],
    });
  const convert = (isWhole: boolean, ...args: string[]) =>
    runConvert(dir, { 'a.sarif': content(isWhole) }, '--asset', 'shop', ...args);
  const failed = await convert(false, '--replace', 'va', '--allow-empty');
  expect([failed.exitCode, failed.zips]).toEqual([2, []]);
  expect(failed.err).toContain('is incomplete (its executionSuccessful in invocations in runs is false)');
  expect((await convert(false)).out).toContain('is incomplete');
  expect((await convert(true, '--replace', 'va')).exitCode).toBe(0);
});

it('fills in the arguments of a message, in which braces of the text are doubled', async () => {
  const evidenceOf = async (message: object) => {
    const [{ evidence }] = await instancesOf({ results: [{ ruleId: 'r', message }] });
    return evidence.observationText;
  };
  const text = 'Use {0} in {{0}} and {{x}}, not {1}';
  expect(await evidenceOf({ text, arguments: ['{{A}}'] })).toBe('Use {{A}} in {0} and {x}, not {1}');
  // Tools that fill in nothing often do not double braces either.
  expect(await evidenceOf({ text })).toBe(text);
});
