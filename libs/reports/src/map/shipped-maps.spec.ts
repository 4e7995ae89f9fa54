import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

it.each(['Snyk', 'Snyk, all projects'])('%s: what a policy ignores is listed', async (title) => {
  const { fileName, content } = fixtureNamed(title);
  const [first, ...others] = [JSON.parse(content)].flat();
  const [vulnerability] = first.vulnerabilities;
  const ignoring = (around: object) => ({ ...around, filtered: { ignore: [vulnerability], patch: [] } });
  const project = ignoring({ ...first, applications: [ignoring({ vulnerabilities: [] })] });
  const report = JSON.stringify(content.startsWith('[') ? [ignoring(first), ...others] : project);
  const { out } = await runConvert(dir, { [fileName]: report }, '--json');
  const count = content.startsWith('[') ? 1 : 2;
  expect(JSON.parse(out)).toMatchObject({
    read: 2 + count,
    mapped: 2,
    notMapped: [{ text: 'ignored by a policy in the report', count }],
  });
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

it('Snyk: a project that it could not test is no asset', async () => {
  const untested = '{"ok":false,"error":"Missing node_modules","path":"b"}';
  const { fileName, content } = fixtureNamed('Snyk, all projects');
  const { signals } = await runConvert(dir, { [fileName]: content.replace('[', `[${untested},`) });
  expect(signals.length).toBeGreaterThan(1);
  expect(signals.map(({ entity }) => entity.name)).not.toContain('b');
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
    ['Unusual calls', 'arn:aws:s3:::halden-b', 'AWS GuardDuty', 'edr', 'fail', undefined],
  ]);
  const ec2 = signals.find(({ name }) => name.startsWith('CVE'));
  expect(ec2.entity.entityAttributes.ipAddresses).toEqual([{ name: 'Ip', ipv4: '10.0.9.1' }]);
  expect(ec2.securityContexts[0].standardsMapping).toContainEqual(cve);
});

it('Nmap: open ports and their vulnerabilities; a host without open ports is clean, one that is down or timed out is none', async () => {
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

it('Dependency-Check: CVSS 4 before 3', async () => {
  const { fileName, content } = fixtureNamed('Dependency-Check');
  const cvssV4 = '<cvssV4><baseScore>9.3</baseScore><baseSeverity>CRITICAL</baseSeverity></cvssV4>';
  const both = content.replace('</cvssV3>', `</cvssV3>${cvssV4}`);
  const alone = content.replace(/<severity>HIGH.*<\/cvssV3>/s, cvssV4);
  for (const text of [both, alone]) {
    const { signals } = await runConvert(dir, { [fileName]: text });
    expect(signals[0].securityContexts[0].severity).toMatchObject({
      value: 9.3,
      level: 'critical',
      cvss: { version: '4.0', baseScore: 9.3 },
    });
  }
});

it('Amazon Inspector: each resource is an asset; a closed finding passes; code has its file', async () => {
  const signals = await signalsOf('Amazon Inspector');
  const found = signals.map(({ name, entity, securityContexts: [context] }) => [
    name,
    entity.name,
    context.status.complianceStatus,
    context.severity.value,
    context.detectionId,
  ]);
  expect(found.sort()).toEqual([
    [
      'CVE-2026-1001 - sample',
      '111122223333/eu-north-1/shop',
      'fail',
      7.5,
      'arn:aws:ecr:eu-north-1:111122223333:repository/shop/sha256:aa',
    ],
    ['CVE-2026-1001 - sample', 'i-0a1', 'fail', 7.5, 'i-0a1'],
    ['CWE-117 - Log injection', 'i-0a1', 'pass', 7.5, 'i-0a1 src/a.py:3'],
  ]);
  const code = signals.find(({ name }) => name.startsWith('CWE'));
  expect(code.entity.entityAttributes).toMatchObject({
    tags: { os: ['AMAZON_LINUX_2'] },
    ipAddresses: [{ ipv4: '10.0.9.1' }],
  });
  expect(code.securityContexts[0].standardsMapping).toContainEqual({ name: 'cwe', value: ['CWE-117'] });
  expect(JSON.stringify(signals)).not.toContain('None Provided');
});

it('Wazuh: the agent is the asset, in the index and in the API; a score of 0 and the level "-" are none', async () => {
  const [first, second] = (await signalsOf('Wazuh index')).sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(first).toMatchObject({
    name: 'CVE-2026-1001 (sample)',
    entity: { name: 'web09', entityAttributes: { tags: { os: ['Ubuntu 24.04.2 LTS'] } } },
    firstSeen: '2026-01-01T00:00:00.000Z',
    securityContexts: [
      { severity: { value: 9.1, level: 'critical' }, standardsMapping: expect.arrayContaining([cve]) },
    ],
  });
  expect(second.securityContexts[0].severity).toEqual({ level: 'medium' });
  expect(await one('Wazuh API')).toMatchObject({
    name: 'CVE-2026-1001 (sample)',
    entity: { name: 'web09', entityAttributes: { ipAddresses: [{ ipv4: '10.0.9.5' }] } },
    securityContexts: [{ severity: { value: 7.5, level: 'high' } }],
  });
});

it('kube-bench: passed and failed checks; a warning is not assessed', async () => {
  for (const title of ['kube-bench', 'kube-bench, a list']) {
    const signals = await signalsOf(title);
    const found = signals.map(({ name, securityContexts: [context] }) => [
      name,
      context.type,
      context.status.complianceStatus,
      context.severity.level,
      context.detectionId,
    ]);
    expect(found.sort()).toEqual([
      ['Ensure that 4.1.1 is right (4.1.1)', 'ca', 'pass', 'medium', 'node 4.1.1'],
      ['Ensure that 4.1.2 is right (4.1.2)', 'ca', 'fail', 'medium', 'node 4.1.2'],
      ['Ensure that 4.1.3 is right (4.1.3)', 'ca', 'unknown', 'info', 'node 4.1.3'],
    ]);
  }
});

it('Prisma Cloud: vulnerabilities and compliance of an image, in JSON and CSV; a clean image is named', async () => {
  const signals = await signalsOf('Prisma Cloud');
  expect(signals.map(({ name, entity }) => [name, entity.name]).sort()).toEqual([
    ['(CIS_Docker_v1.5.0 - 4.6) Add HEALTHCHECK', 'shop:1.2'],
    ['Asset without findings', 'clean:1.0'],
    ['CVE-2026-1001 (sample)', 'shop:1.2'],
    ['PRISMA-2026-0001 (other)', 'shop:1.2'],
  ]);
});

it('Prisma Cloud CSV: a row is a vulnerability, or a compliance check', async () => {
  const signals = await signalsOf('Prisma Cloud CSV');
  const found = signals.map(({ name, securityContexts: [context] }) => [
    name,
    context.type,
    context.severity.level,
  ]);
  expect(found.sort()).toEqual([
    ['CVE-2026-1001 (sample)', 'va', 'high'],
    ['No HEALTHCHECK', 'ca', 'medium'],
  ]);
});

it('Wiz: issues are controls of a resource, vulnerabilities are packages of a machine', async () => {
  const issues = await signalsOf('Wiz issues');
  const found = issues.map(({ name, entity, securityContexts: [context] }) => [
    name,
    entity.name,
    context.type,
    context.status.complianceStatus,
    context.severity.level,
  ]);
  expect(found.sort()).toEqual([
    ['Machine exposed to CVE-2026-1001', 'vm-1', 'ca', 'pass', 'high'],
    ['Role with wildcards', 'k8s/user/aa', 'ca', 'fail', 'info'],
  ]);
  expect(await one('Wiz vulnerabilities')).toMatchObject({
    name: 'CVE-2026-1001 (sample)',
    entity: {
      name: 'vm-1',
      entityAttributes: {
        ipAddresses: [{ ipv4: '10.0.9.5' }, { ipv4: '10.0.9.6' }],
        tags: { assetName: ['web09'] },
      },
    },
    lastSeen: '2026-01-02T00:00:00.000Z',
    securityContexts: [
      { severity: { level: 'medium' }, detectionId: 'sample 1.0 /opt/a', standardsMapping: [cve] },
    ],
  });
});

it('OpenVEX: a statement about a product without its version; what is investigated is not assessed', async () => {
  const signals = await signalsOf('OpenVEX');
  const found = signals.map(({ name, securityContexts: [context] }) => [
    name,
    context.status.complianceStatus,
    context.detectionId,
  ]);
  expect(found.sort()).toEqual([
    ['CVE-2026-1001 in pkg:apk/sample/tool', 'pass', 'pkg:apk/sample/tool@1.0?arch=x86_64'],
    ['CVE-2026-1002 in pkg:apk/sample/tool', 'fail', 'pkg:apk/sample/tool@1.0?arch=x86_64'],
    ['CVE-2026-1003 in pkg:apk/sample/old', 'unknown', 'pkg:apk/sample/old@0.9'],
  ]);
});

it('OpenVEX: a later statement about the same product overrides earlier ones, which are listed', async () => {
  const { fileName, content } = fixtureNamed('OpenVEX');
  const about = (status: string, timestamp?: string, subcomponent?: string) => ({
    vulnerability: { name: 'CVE-2026-1001' },
    products: [{ '@id': 'pkg:a@1', ...(subcomponent && { subcomponents: [{ '@id': subcomponent }] }) }],
    status,
    timestamp,
  });
  const document = (...statements: object[]) => JSON.stringify({ ...JSON.parse(content), statements });
  const statusesOf = async (...documents: string[]) => {
    const files = Object.fromEntries(documents.map((text, i) => [`${i}-${fileName}`, text]));
    const { out, signals } = await runConvert(dir, files, '--asset', 'shop', '--json');
    const { read, mapped, notMapped } = JSON.parse(out);
    const contexts = signals.flatMap(({ securityContexts }) => securityContexts);
    return { read, mapped, notMapped, statuses: contexts.map(({ status }) => status.complianceStatus) };
  };
  const overridden = (count: number) => [{ text: 'overridden by a later statement', count }];
  const old = about('affected', '2026-01-01T00:00:00Z');
  const later = about('fixed', '2026-02-01T00:00:00Z');
  const onlyLater = { read: 2, mapped: 1, notMapped: overridden(1), statuses: ['pass'] };
  expect(await statusesOf(document(old, later))).toEqual(onlyLater);
  expect(await statusesOf(document(later, old))).toEqual(onlyLater);
  expect(await statusesOf(document(later), document(old))).toEqual(onlyLater);
  expect(await statusesOf(document(about('affected'), about('under_investigation'), about('fixed')))).toEqual(
    {
      read: 3,
      mapped: 1,
      notMapped: overridden(2),
      statuses: ['pass'],
    },
  );
  const parts = document(about('affected', undefined, 'pkg:b@1'), about('fixed', undefined, 'pkg:c@1'));
  expect(await statusesOf(parts)).toMatchObject({ mapped: 2, notMapped: [] });
});

it('OpenVEX: products and their subcomponents are distinguished by identifiers and hashes too', async () => {
  const { fileName, content } = fixtureNamed('OpenVEX');
  const about = (status: string, products: object[]) => ({
    vulnerability: { name: 'CVE-2026-1001' },
    products,
    status,
  });
  type Instance = { detectionId: string; status: { complianceStatus: string } };
  const outcomeOf = async (...statements: object[]) => {
    const text = JSON.stringify({ ...JSON.parse(content), statements });
    const { out, signals } = await runConvert(dir, { [fileName]: text }, '--asset', 'shop', '--json');
    const found = signals.flatMap(({ name, securityContexts }) =>
      securityContexts.map(({ detectionId, status }: Instance) => [
        name,
        detectionId,
        status.complianceStatus,
      ]),
    );
    return { found: found.sort(), notMapped: JSON.parse(out).notMapped };
  };
  const purl = (name: string) => ({ identifiers: { purl: `pkg:oci/${name}@sha256:aa` } });
  const product = (subcomponent: object) => ({ '@id': 'pkg:oci/shop@1', subcomponents: [subcomponent] });
  const hashed = { hashes: { 'sha-256': 'aa' } };
  expect(await outcomeOf(about('affected', [purl('a')]), about('not_affected', [purl('b')]))).toEqual({
    found: [
      ['CVE-2026-1001 in pkg:oci/a', 'pkg:oci/a@sha256:aa', 'fail'],
      ['CVE-2026-1001 in pkg:oci/b', 'pkg:oci/b@sha256:aa', 'pass'],
    ],
    notMapped: [],
  });
  expect(
    await outcomeOf(
      about('affected', [product(purl('a'))]),
      about('fixed', [product(purl('b')), product(hashed)]),
    ),
  ).toEqual({
    found: [
      ['CVE-2026-1001 in pkg:oci/shop', 'pkg:oci/shop@1 aa', 'pass'],
      ['CVE-2026-1001 in pkg:oci/shop', 'pkg:oci/shop@1 pkg:oci/a@sha256:aa', 'fail'],
      ['CVE-2026-1001 in pkg:oci/shop', 'pkg:oci/shop@1 pkg:oci/b@sha256:aa', 'pass'],
    ],
    notMapped: [],
  });
  expect(await outcomeOf(about('affected', [hashed]), about('fixed', [{ supplier: 'Halden' }]))).toEqual({
    found: [['CVE-2026-1001 in aa', 'aa', 'fail']],
    notMapped: [{ text: 'names no product', count: 1 }],
  });
});

it('Dependency-Track: the project is the asset; a CVE among the aliases; triage is not assessed', async () => {
  const signals = await signalsOf('Dependency-Track');
  const exploitable = signals.find(({ name }) => name.startsWith('GHSA'));
  expect(exploitable).toMatchObject({
    name: 'GHSA-1111-2222-3333 (org.halden:sample)',
    entity: { name: 'shop' },
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastSeen: '2026-01-02T00:00:00.000Z',
    securityContexts: [
      {
        status: { complianceStatus: 'fail' },
        severity: { value: 7.5, level: 'high' },
        detectionId: 'pkg:maven/org.halden/sample@1.0',
        standardsMapping: expect.arrayContaining([cve, { name: 'cwe', value: ['CWE-400'] }]),
      },
    ],
  });
  const triage = signals.find(({ name }) => name.startsWith('CVE-2026-1002'));
  expect(triage.securityContexts[0].status.complianceStatus).toBe('unknown');
});

it('yarn audit: an advisory with the paths to it, of Yarn 1 and later', async () => {
  const classic = await one('yarn audit lines');
  expect(classic).toMatchObject({ name: 'Prototype Pollution (sample)' });
  const ids = classic.securityContexts.map(({ detectionId }: { detectionId: string }) => detectionId);
  expect(ids.sort()).toEqual(['1325 other>sample', '1325 sample']);
  expect(classic.securityContexts[0].standardsMapping).toEqual(
    expect.arrayContaining([cve, { name: 'cwe', value: ['CWE-471'] }]),
  );
  expect(await one('yarn npm audit lines')).toMatchObject({
    name: 'Prototype Pollution (sample)',
    securityContexts: [{ severity: { level: 'medium' }, detectionId: '1325 1.0.0' }],
  });
});

it('SonarQube: vulnerabilities and others, with the words for severity; hotspots are not assessed', async () => {
  const signals = await signalsOf('SonarQube issues');
  const found = signals.map(({ name, entity, securityContexts: [context] }) => [
    name,
    entity.name,
    context.type,
    context.status.complianceStatus,
    context.severity.level,
    context.detectionId,
  ]);
  expect(found.sort()).toEqual([
    ['java:S1', 'shop', 'others', 'pass', 'low', 'shop:src/A.java:3 a2'],
    ['java:S2077', 'shop', 'va', 'fail', 'critical', 'shop:src/A.java:3 a1'],
  ]);
  const vulnerability = signals.find(({ name }) => name === 'java:S2077');
  expect(vulnerability.securityContexts[0].standardsMapping).toEqual(
    expect.arrayContaining([cve, { name: 'cwe', value: ['CWE-89'] }]),
  );
  expect(await one('SonarQube hotspots')).toMatchObject({
    name: 'typescript:S6268',
    securityContexts: [{ type: 'va', status: { complianceStatus: 'unknown' }, severity: { level: 'high' } }],
  });
});

it('Checkmarx: a query with its results; false positives and what is not exploitable are listed', async () => {
  const signal = await one('Checkmarx');
  expect(signal).toMatchObject({ name: 'SQL_Injection (Java)', entity: { name: 'shop' } });
  const ids = signal.securityContexts.map(({ detectionId }: { detectionId: string }) => detectionId);
  expect(ids.sort()).toEqual(['773 src/A.java:3:9', '778 src/A.java:8:9']);
  expect(signal.securityContexts[0].standardsMapping).toContainEqual({ name: 'cwe', value: ['CWE-89'] });
});

it('Burp Suite: an issue at its paths, on the host and port of its URL', async () => {
  const signal = await one('Burp Suite');
  expect(signal).toMatchObject({
    name: 'Cookie without HttpOnly',
    description: 'Scripts can read it.',
    entity: { name: 'shop.halden.example', entityAttributes: { ipAddresses: [{ ipv4: '10.0.9.5' }] } },
  });
  const ids = signal.securityContexts.map(({ detectionId }: { detectionId: string }) => detectionId);
  expect(ids.sort()).toEqual([
    'https://shop.halden.example:8443/cart',
    'https://shop.halden.example:8443/login',
  ]);
  expect(signal.securityContexts.map(({ severity }: { severity: object }) => severity)).toEqual(
    expect.arrayContaining([{ level: 'low' }, { level: 'info' }]),
  );
  expect(JSON.stringify(signal)).not.toContain('<p>');
});

it('OpenVAS CSV: a result with its port and CVEs; a log message counts as info', async () => {
  const signals = await signalsOf('OpenVAS CSV');
  expect(signals.find(({ name }) => name === 'Sample weakness')).toMatchObject({
    entity: { name: 'web09', entityAttributes: { ipAddresses: [{ ipv4: '10.0.9.5' }] } },
    lastSeen: '2026-01-01T00:00:00.000Z',
    securityContexts: [
      {
        port: 443,
        protocol: 'tcp',
        severity: { value: 7.5, level: 'high' },
        standardsMapping: expect.arrayContaining([
          { name: 'cve', value: ['CVE-2026-1001', 'CVE-2026-1002'] },
        ]),
      },
    ],
  });
  const log = signals.find(({ name }) => name === 'Traceroute');
  expect(log.securityContext.severity.level).toBe('info');
});

it('Prowler: the resource is the asset, in CSV and JSON of all versions; what is manual is not assessed', async () => {
  const summary = async (title: string) =>
    (await signalsOf(title))
      .map(({ name, entity, securityContexts: [context] }) => [
        name,
        entity.name,
        context.status.complianceStatus,
        context.severity.level,
      ])
      .sort();
  expect(await summary('Prowler CSV')).toEqual([
    ['Sample check (sample_check)', 'arn:aws:s3:::halden-a', 'fail', 'high'],
    ['Sample check (sample_check)', 'arn:aws:s3:::halden-b', 'pass', 'high'],
  ]);
  expect(await summary('Prowler 2 CSV')).toEqual([
    ['[check11] Avoid the use of the root account', '111122223333', 'fail', 'high'],
    ['[check12] Enable MFA', '111122223333', 'unknown', 'medium'],
  ]);
  expect(await summary('Prowler 3')).toEqual([
    ['Sample check (sample_check)', '111122223333/halden-b', 'unknown', 'high'],
    ['Sample check (sample_check)', 'arn:aws:s3:::halden-a', 'fail', 'high'],
  ]);
  expect(await summary('Prowler 2 lines')).toEqual([
    ['[check11] Avoid the use of the root account', '111122223333', 'pass', 'high'],
  ]);
});

it('Prowler CSV: a resource whose uid is unique in its account only has the name of the account before it', async () => {
  const resources = [
    ['m365', 'tenant-a', 'teamsSettings'],
    ['m365', 'tenant-b', 'teamsSettings'],
    ['azure', 'a', '/subscriptions/a'],
    ['kubernetes', 'cluster', 'e1f2'],
    ['gcp', 'project', ''],
  ];
  const columns =
    'AUTH_METHOD;FINDING_UID;MUTED;PROVIDER;ACCOUNT_UID;RESOURCE_UID;CHECK_ID;CHECK_TITLE;STATUS;SEVERITY';
  const rows = resources.map((row, i) => `x;${i};False;${row.join(';')};check;Check;FAIL;high`);
  const { signals } = await runConvert(dir, { 'a.csv': `${[columns, ...rows].join('\n')}\n` });
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual([
    '/subscriptions/a',
    'e1f2',
    'project',
    'tenant-a/teamsSettings',
    'tenant-b/teamsSettings',
  ]);
});

it('Prowler CSV: fields are separated by semicolons, and commas are part of them', async () => {
  const signals = await signalsOf('Prowler CSV');
  expect(signals.find(({ entity }) => entity.name.endsWith('-a'))).toMatchObject({
    lastSeen: '2026-01-02T00:00:00.123Z',
    securityContexts: [
      {
        evidence: { observationText: 'Bucket a is public, and has no owner.' },
        detectionId: 'prowler-1',
        attackPattern: [{ mapping: { techniqueId: 'T1530' } }],
        standardsMapping: [
          { name: 'check', value: ['sample_check'] },
          { name: 'compliance', value: ['CIS-2.0: 2.1', 'MITRE-ATTACK: T1530'] },
        ],
        remediation: {
          description: 'Make it private.',
          reference: 'https://halden.example/a\nhttps://halden.example/b\nhttps://halden.example/c',
        },
      },
    ],
  });
});

it('Microsoft Defender: software of a machine by its device id; recommendations for a resource', async () => {
  const [first, second] = (await signalsOf('Defender for Endpoint')).sort((a, b) =>
    a.entity.name < b.entity.name ? -1 : 1,
  );
  expect(first).toMatchObject({
    name: 'CVE-2026-1001 (sample)',
    entity: { name: 'aa11', entityAttributes: { tags: { defenderDeviceId: ['aa11'] } } },
    securityContexts: [
      {
        severity: { level: 'high' },
        detectionId: 'halden sample 1.0',
        remediation: { description: 'Install update 5000001' },
        standardsMapping: [cve],
      },
    ],
  });
  expect(second.securityContexts[0].remediation).toBeUndefined();
  const found = (await signalsOf('Defender for Cloud')).map(
    ({ name, entity, securityContexts: [context] }) => [
      name,
      entity.name,
      context.type,
      context.status.complianceStatus,
      context.severity.level,
    ],
  );
  expect(found.sort()).toEqual([
    ['Storage should be private', '/subscriptions/s-1/store', 'ca', 'fail', 'medium'],
    ['Storage should be private', '/subscriptions/s-1/vault', 'ca', 'pass', 'medium'],
  ]);
});

describe('a report that says that it lacks findings', () => {
  it.each([
    [
      'SonarQube issues',
      '"pageSize": 100,\n    "total": 3',
      '"total": 1500',
      'has 3 elements, fewer than its total in paging',
    ],
    ['SonarQube hotspots', '"total": 1', '"total": 2', 'has 1 elements, fewer than its total in paging'],
    ['Wazuh index', '"value": 2', '"value": 3', 'has 2 elements, fewer than its value in total in hits'],
    ['Wazuh index', '"value": 2', '"relation": "gte"', 'its relation in total in hits is gte'],
    ['Wazuh API', '_items": 1', '_items": 2', 'has 1 elements, fewer than its total_affected_items in data'],
    ['Amazon Inspector', '{', '{"nextToken": "n",', 'it has a nextToken'],
    ['Amazon Inspector', '{', '{"NextToken": "n",', 'it has a NextToken'],
    ['ASFF', '{', '{"NextToken": "n",', 'it has a NextToken'],
    ['Defender for Endpoint', '{', '{"@odata.nextLink": "n",', 'it has a @odata.nextLink'],
    ['Nmap', '<finished', '<finished exit="error"', 'its exit in finished in runstats in nmaprun is error'],
    [
      'Snyk, all projects',
      '[',
      '[{"ok":false,"error":"Missing node_modules","path":"b"},',
      'it has an error',
    ],
    ['Checkov', '"parsing_errors": 0', '"parsing_errors": 2', 'its parsing_errors in summary is not 0'],
    [
      'Checkov, several types',
      '"parsing_errors": 0',
      '"parsing_errors": 2',
      'its parsing_errors in summary is not 0',
    ],
    ['Semgrep', '"errors": [', '"errors": [{"level": "error"}', 'its level in errors is error'],
  ])('%s, %s as %s: it replaces nothing, and is noted otherwise', async (title, whole, partial, lack) => {
    const { fileName, content } = fixtureNamed(title);
    const files = { [fileName]: content.replace(whole, partial) };
    const replacing = await runConvert(dir, files, '--replace', 'va');
    expect(replacing).toMatchObject({ exitCode: 2, zips: [], err: expect.stringContaining(lack) });
    expect(replacing.err).toContain('is incomplete');
    const { exitCode, out } = await runConvert(dir, files, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).notes).toContainEqual({ text: expect.stringContaining(lack), count: 1 });
  });

  it.each([
    ['ASFF', '{', '{"NextToken": null,'],
    ['Amazon Inspector', '{', '{"nextToken": "",'],
    ['Nmap', '<finished', '<finished exit="success"'],
    ['SonarQube issues', '', ''],
    ['Wazuh index', '', ''],
  ])('is not %s with %s as %s', async (title, was, is) => {
    const { fileName, content } = fixtureNamed(title);
    const files = { [fileName]: content.replace(was, is) };
    expect((await runConvert(dir, files, '--replace', 'va')).exitCode).toBe(0);
  });
});

it.each([
  ['Dependency-Track', /"severity": "HIGH"/g, '"severity": "UNASSIGNED"', /"cvssV3BaseScore": 7.5/g],
  ['Amazon Inspector', /"severity": "HIGH"/g, '"severity": "UNTRIAGED"', /"score": 7.5/g],
  ['Wazuh index', /"severity": "Critical"/g, '"severity": "Untriaged"', /"base": 9.1/g],
])(
  '%s: a severity that the tool does not know is medium, with a note',
  async (title, known, unknown, score) => {
    const { fileName, content } = fixtureNamed(title);
    const files = { [fileName]: content.replace(known, unknown).replace(score, '"none": 0') };
    const { out, signals } = await runConvert(dir, files, '--json');
    for (const { securityContexts } of signals) expect(securityContexts[0].severity.level).toBe('medium');
    expect(JSON.parse(out).notes).toContainEqual({
      text: 'has no severity: set to medium',
      count: signals.length,
    });
  },
);

it('OpenVAS CSV: a host that calls itself localhost has its address', async () => {
  const { fileName, content } = fixtureNamed('OpenVAS CSV');
  const { signals } = await runConvert(dir, { [fileName]: content.replaceAll('web09', 'localhost') });
  expect(new Set(signals.map(({ entity }) => entity.name))).toEqual(new Set(['10.0.9.5']));
});

it('OpenVAS CSV: false positives and errors of the scan are listed, also above a minimum severity', async () => {
  const { fileName, content } = fixtureNamed('OpenVAS CSV');
  const withoutWords = content.replace('False Positive', '').replace('Error', '');
  for (const text of [content, withoutWords]) {
    const { out } = await runConvert(dir, { [fileName]: text }, '--json', '--min-severity', 'low');
    expect(JSON.parse(out)).toMatchObject({
      read: 4,
      mapped: 1,
      notMapped: expect.arrayContaining([
        { text: 'marked as a false positive in the report', count: 1 },
        { text: 'an error of the scan, not a finding', count: 1 },
      ]),
    });
  }
});

it('a score that is none counts as medium for the minimum severity too', async () => {
  const { fileName, content } = fixtureNamed('OpenVAS CSV');
  const files = { [fileName]: content.replace('-1.0,False Positive', '-2.0,') };
  const { signals } = await runConvert(dir, files, '--min-severity', 'medium');
  expect(signals.find(({ name }) => name === 'Not so').securityContexts[0].severity).toEqual({
    level: 'medium',
  });
});
