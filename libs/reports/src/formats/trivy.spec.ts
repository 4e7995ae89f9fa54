import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-trivy-'));
});
afterAll(() => rm(dir, { recursive: true }));

it('the status of a vulnerability in Trivy decides whether it fails', async () => {
  const statuses = [
    'not_affected',
    'under_investigation',
    'affected',
    'fixed',
    'will_not_fix',
    'fix_deferred',
    'end_of_life',
  ];
  const report = {
    SchemaVersion: 2,
    ArtifactName: 'shop',
    Results: [
      {
        Target: 'shop (debian 12)',
        Vulnerabilities: [...statuses, undefined].map((Status, i) => ({
          VulnerabilityID: `CVE-2024-100${i}`,
          Status,
        })),
      },
    ],
  };
  const { signals } = await runConvert(dir, { 'a.json': JSON.stringify(report) });
  const told = signals.map(({ name, securityContexts: [{ status }] }) => [name, status.complianceStatus]);
  expect(told.sort().map(([, status]) => status)).toEqual([
    'pass',
    'unknown',
    'fail',
    'fail',
    'fail',
    'fail',
    'fail',
    'fail',
  ]);
});

const vulnerability = { VulnerabilityID: 'CVE-2024-1001', PkgName: 'sample', Severity: 'HIGH' };
const assetsOf = async (report: unknown, ...args: string[]) => {
  const { signals } = await runConvert(dir, { 'a.json': JSON.stringify(report) }, ...args);
  return signals.map(({ name, entity }) => [entity.name, name]).sort();
};

const workload = (Name: string, more: object) => ({ Namespace: 'shop', Kind: 'Deployment', Name, ...more });
const failed = workload('c', { Error: 'scan error: TOOMANYREQUESTS' });
const scanned = [
  workload('a', { Results: [{ Target: 'a:1 (debian 12)', Vulnerabilities: [vulnerability] }] }),
  workload('b', { Results: [{ Target: 'b:1 (debian 12)', Class: 'os-pkgs' }, { Target: 'app.jar' }] }),
];

it.each(['Resources', 'Findings'])(
  'a workload of a cluster that was scanned without findings is clean, in %s',
  async (list) => {
    const cluster = { ClusterName: 'halden', [list]: scanned };
    expect(await assetsOf(cluster, '--replace', 'va')).toEqual([
      ['halden/shop/Deployment/a', 'CVE-2024-1001 (sample)'],
      ['halden/shop/Deployment/b', 'Asset without findings'],
    ]);
    expect(await assetsOf(cluster, '--asset', 'cluster')).toEqual([['cluster', 'CVE-2024-1001 (sample)']]);
  },
);

it.each([
  ['first', [failed, ...scanned]],
  ['last', [...scanned, failed]],
])('a cluster with an image that could not be scanned, %s, replaces nothing', async (_, Resources) => {
  const files = { 'a.json': JSON.stringify({ ClusterName: 'halden', Resources }) };
  const { exitCode, err, zips } = await runConvert(dir, files, '--replace', 'va,ca');
  expect({ exitCode, zips }).toEqual({ exitCode: 2, zips: [] });
  expect(err).toContain('is incomplete (it has an Error in Resources)');
  const { out, signals } = await runConvert(dir, files, '--json');
  expect(JSON.parse(out).notes).toContainEqual({
    text: 'is incomplete: it has an Error in Resources',
    count: 1,
  });
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual([
    'halden/shop/Deployment/a',
    'halden/shop/Deployment/b',
  ]);
});

it('the same workload in two clusters is two assets', async () => {
  const cluster = (ClusterName: string) => JSON.stringify({ ClusterName, Resources: [scanned[0]] });
  const files = { 'a.json': cluster('prod'), 'b.json': cluster('dev'), 'c.json': cluster('') };
  const { signals } = await runConvert(dir, files);
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual([
    'dev/shop/Deployment/a',
    'prod/shop/Deployment/a',
    'shop/Deployment/a',
  ]);
});

it('a target of an old report without findings is clean', async () => {
  const list = [
    { Target: 'a:1 (debian 12)', Vulnerabilities: [vulnerability] },
    { Target: 'b:1 (debian 12)', Vulnerabilities: null },
  ];
  expect(await assetsOf(list)).toEqual([
    ['a:1', 'CVE-2024-1001 (sample)'],
    ['b:1', 'Asset without findings'],
  ]);
});

it('takes the name of a member of all objects for an unknown status', async () => {
  const check = { ID: 'DS001', Status: 'constructor', Severity: 'toString' };
  const results = [{ Target: 'Dockerfile', Misconfigurations: [check] }];
  const report = { SchemaVersion: 2, ArtifactName: 'shop', Results: results };
  const { signals } = await runConvert(dir, { 'a.json': JSON.stringify(report) });
  expect(signals[0].securityContexts[0]).toMatchObject({
    status: { complianceStatus: 'fail' },
    severity: { level: 'medium' },
  });
});

it.each([
  ['a host, which Trivy calls by its /etc/hostname,', 'web01.acme.com', [], 0],
  ['an unpacked image', '/srv/unpacked', ['--asset', 'Acme.Web'], 2],
])(
  'a scan of the file system of %s has the exit code of its name',
  async (_, ArtifactName, args, expected) => {
    const report = {
      SchemaVersion: 2,
      ArtifactName,
      ArtifactType: 'filesystem',
      Metadata: { OS: { Family: 'debian', Name: '12' } },
      Results: [{ Target: 'debian', Vulnerabilities: [vulnerability] }],
    };
    const files = { 'a.json': JSON.stringify(report) };
    const { exitCode } = await runConvert(dir, files, ...args, '--replace', 'va');
    expect(exitCode).toBe(expected);
  },
);
