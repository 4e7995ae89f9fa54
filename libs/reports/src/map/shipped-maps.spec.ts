import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-shipped-maps-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function signalsOf(title: string) {
  const { fileName, content, asset } = fixtureNamed(title);
  const { signals } = await runConvert(dir, { [fileName]: content }, ...(asset ? ['--asset', asset] : []));
  return signals;
}
const one = async (title: string) => (await signalsOf(title))[0];
const cve = { name: 'cve', value: ['CVE-2026-1001'] };

it('Gitleaks: a secret has its rule, file and fingerprint, and never its text', async () => {
  const signal = await one('Gitleaks');
  expect(signal).toMatchObject({
    name: 'Sample token (sample-token)',
    entity: { name: 'shop' },
    source: { name: 'Gitleaks' },
    firstSeen: '2026-01-01T00:00:00.000Z',
    securityContexts: [
      {
        type: 'finding',
        severity: { level: 'high' },
        detectionId: 'c0ffee:conf/app.yml:sample-token:3',
        standardsMapping: [
          { name: 'cwe', value: ['CWE-798'] },
          { name: 'gitleaks', value: ['sample-token'] },
        ],
        tags: { file: ['conf/app.yml'], commit: ['c0ffee'], tags: ['ci'] },
      },
    ],
  });
  expect(JSON.stringify(signal)).not.toContain('hunter2');
});

it('TruffleHog: a verified secret is critical, another medium, whatever its source', async () => {
  const signal = await one('TruffleHog lines');
  expect(signal).toMatchObject({
    name: 'Hard-coded Sample secret',
    firstSeen: '2026-01-01T10:00:00.000Z',
    securityContexts: expect.arrayContaining([
      expect.objectContaining({ severity: { level: 'critical' }, detectionId: 'c0ffee:keys:4' }),
      expect.objectContaining({ severity: { level: 'medium' }, detectionId: '/srv/keys:1' }),
    ]),
  });
  expect(JSON.stringify(signal)).not.toContain('hunter');
});

it('Snyk: a package with its path, the project as the asset, licences apart; clean projects are named', async () => {
  const signals = await signalsOf('Snyk, all projects');
  expect(signals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'CVE-2026-1001 (sample)',
        entity: expect.objectContaining({ name: 'shop' }),
        securityContexts: [
          expect.objectContaining({
            type: 'va',
            severity: {
              value: 7.5,
              level: 'high',
              type: 'cvss',
              cvss: {
                version: '3.1',
                vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
                baseScore: 7.5,
              },
            },
            detectionId: 'shop@2.0.0, sample@1.0.0',
            remediation: expect.objectContaining({ description: 'Update sample to 1.2.0' }),
            tags: { package: ['sample'], version: ['1.0.0'], targetFile: ['package-lock.json'] },
          }),
        ],
      }),
      expect.objectContaining({ securityContexts: [expect.objectContaining({ type: 'others' })] }),
      expect.objectContaining({ entityOnly: true, entity: expect.objectContaining({ name: 'clean' }) }),
    ]),
  );
});

it('npm audit: an advisory with its package; a score of 0 is none', async () => {
  expect(await one('npm audit 7')).toMatchObject({
    name: 'Sample weakness (sample)',
    securityContexts: [
      {
        severity: { value: 7.5, level: 'high' },
        detectionId: '1001 node_modules/sample',
        remediation: { description: 'Update other to 2.0.0' },
        standardsMapping: [
          { name: 'cwe', value: ['CWE-400'] },
          { name: 'npm', value: ['1001'] },
        ],
      },
    ],
  });
  const older = await one('npm audit 6');
  expect(older).toMatchObject({ name: 'CVE-2026-1001 (sample)' });
  expect(
    older.securityContexts.map(({ detectionId }: { detectionId: string }) => detectionId).sort(),
  ).toEqual(['106 0.9.0', '106 1.0.0']);
  expect(older.securityContexts[0]).toMatchObject({
    severity: { level: 'medium' },
    standardsMapping: [cve, { name: 'cwe', value: ['CWE-94'] }, { name: 'npm', value: ['106'] }],
  });
  expect(older.securityContexts[0].severity.value).toBeUndefined();
});

it('Semgrep: a place in the code, words for severity, no fingerprint that requires a login', async () => {
  const signal = await one('Semgrep');
  expect(signal).toMatchObject({
    name: 'rules.sample-injection',
    description: 'It is weak.',
    securityContexts: [
      {
        severity: { level: 'high' },
        detectionId: 'src/a.py:3:5',
        remediation: { description: 'safe(x)', reference: 'https://halden.example/r' },
        standardsMapping: [
          { name: 'cwe', value: ['CWE-89'] },
          { name: 'owasp', value: ['A03:2021 - Injection'] },
        ],
      },
    ],
  });
  expect(JSON.stringify(signal)).not.toContain('requires login');
});

it('Checkov: passed checks pass, also of several types', async () => {
  for (const title of ['Checkov', 'Checkov, several types']) {
    const signals = await signalsOf(title);
    const found = signals.map(({ name, securityContexts: [context] }) => [
      name,
      context.type,
      context.status.complianceStatus,
      context.severity.level,
      context.detectionId,
    ]);
    expect(found.sort()).toEqual([
      ['Ensure that CKV_S_1 is right (CKV_S_1)', 'ca', 'pass', 'medium', '/main.tf sample_bucket.a'],
      ['Ensure that CKV_S_2 is right (CKV_S_2)', 'ca', 'fail', 'high', '/main.tf sample_bucket.a'],
    ]);
  }
});

it('ASFF: each resource is an asset; type by product, the newest CVSS', async () => {
  const signals = await signalsOf('ASFF');
  const found = signals.map(({ name, entity, source, securityContexts: [context] }) => [
    name,
    entity.name,
    source.name,
    context.type,
    context.status.complianceStatus,
    context.severity.value,
  ]);
  expect(found.sort()).toEqual([
    [
      'CVE-2026-1001 - sample',
      'arn:aws:ec2:eu-north-1:111122223333:instance/i-1',
      'AWS Inspector',
      'va',
      'fail',
      9.8,
    ],
    ['S.1 Sample control', 'arn:aws:s3:::halden-a', 'AWS Security Hub', 'ca', 'fail', undefined],
    ['S.1 Sample control', 'arn:aws:s3:::halden-b', 'AWS Security Hub', 'ca', 'fail', undefined],
    ['S.2 Other control', 'arn:aws:s3:::halden-a', 'AWS Security Hub', 'ca', 'pass', undefined],
  ]);
  const ec2 = signals.find(({ name }) => name.startsWith('CVE'));
  expect(ec2.entity.entityAttributes.ipAddresses).toEqual([{ name: 'Ip', ipv4: '10.0.9.1' }]);
  expect(ec2.securityContexts[0].standardsMapping).toContainEqual(cve);
});

it('Nmap: open ports and their vulnerabilities; a host without open ports is clean, one that is down is none', async () => {
  const signals = await signalsOf('Nmap');
  expect(signals.map(({ name, entity }) => [name, entity.name]).sort()).toEqual([
    ['Asset without findings', '10.0.9.6'],
    ['CVE-2026-1001', 'web09.halden.example'],
    ['Open port 22/tcp', 'web09.halden.example'],
  ]);
  expect(signals.find(({ name }) => name === 'CVE-2026-1001')).toMatchObject({
    entity: {
      entityAttributes: {
        fqdn: 'web09.halden.example',
        ipAddresses: [{ ipv4: '10.0.9.5' }],
        networkInterface: [{ macAddress: ['00:50:56:AA:00:05'] }],
      },
    },
    lastSeen: '2026-01-01T00:01:00.000Z',
    securityContexts: [
      { severity: { value: 5 }, port: 22, protocol: 'tcp', standardsMapping: expect.arrayContaining([cve]) },
    ],
  });
});

it('Dependency-Check: a package without its version names the finding; CVSS 3 before 2', async () => {
  expect(await one('Dependency-Check')).toMatchObject({
    name: 'CVE-2026-1001 pkg:maven/org.sample/sample',
    entity: { name: 'shop' },
    lastSeen: '2026-01-01T00:00:00.000Z',
    securityContexts: [
      {
        severity: { value: 7.5, level: 'high', cvss: { version: '3.1', baseScore: 7.5 } },
        detectionId: '/srv/sample-1.0.jar',
        standardsMapping: [cve, { name: 'cwe', value: ['CWE-295'] }],
      },
    ],
  });
});
