import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIXTURES, fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { type Converted, runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-convert-'));
});
afterAll(() => rm(dir, { recursive: true }));

const convertFixture = (title: string, ...args: string[]): Promise<Converted> => {
  const { fileName, content, asset } = fixtureNamed(title);
  return runConvert(dir, { [fileName]: content }, ...(asset ? ['--asset', asset] : []), ...args);
};

const signalNamed = ({ signals }: Converted, name: string) => signals.find((signal) => signal.name === name);

describe('every format', () => {
  it.each(FIXTURES)(
    '$title: each finding is mapped or listed, the format detected from the file',
    async (fixture) => {
      const { exitCode, out, err, signals, left } = await convertFixture(fixture.title, '--json');
      expect(err).toBe('');
      const outcome = JSON.parse(out);
      const counts = outcome.notMapped.map(({ text, count }: { text: string; count: number }) => [
        text,
        count,
      ]);
      expect({ ...outcome, notMapped: Object.fromEntries(counts), exitCode }).toMatchObject({
        exitCode: 0,
        files: [{ format: fixture.format }],
        read: fixture.read,
        mapped: fixture.mapped,
        listed: fixture.read - fixture.mapped,
        signals: fixture.signals,
        assets: fixture.assets,
        notMapped: fixture.notMapped,
      });
      expect(signals).toHaveLength(fixture.signals);
      expect(left).toEqual([]);
    },
  );
});

describe('the outcome of a finding', () => {
  it('Nessus: ports are instances, the newest CVSS counts, audits are ca, a clean host is named', async () => {
    const converted = await convertFixture('Nessus v2');
    expect(signalNamed(converted, 'Sample TLS weakness')).toMatchObject({
      entity: {
        type: 'machine',
        name: 'web01.halden.example',
        entityAttributes: {
          ipAddresses: [{ name: 'Ip', ipv4: '10.0.0.5' }],
          networkInterface: [{ macAddress: ['00:50:56:AA:BB:CC', '00:50:56:AA:BB:CD'] }],
          fqdn: 'web01.halden.example',
          tags: { os: ['Ubuntu 22.04'], 'aws-instance-instanceId': ['i-0123456789abcdef0'] },
        },
      },
      source: { name: 'Nessus' },
      description: 'Weak.\n\nThe service is weak & old.',
      lastSeen: '2026-01-01T00:00:00.000Z',
      securityContexts: [
        {
          type: 'va',
          status: { complianceStatus: 'fail' },
          port: 443,
          protocol: 'tcp',
          severity: {
            value: 7.5,
            level: 'high',
            cvss: { version: '3.0', vector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', baseScore: 7.5 },
          },
          standardsMapping: [
            { name: 'cve', value: ['CVE-2024-1111', 'CVE-2024-1112'] },
            { name: 'cwe', value: ['CWE-327'] },
            { name: 'nessus', value: ['900001'] },
          ],
          evidence: { observationText: 'TLS 1.0 <offered>' },
          remediation: {
            description: 'Update it.',
            reference: 'https://halden.example/a\nhttps://halden.example/b',
          },
        },
        {
          port: 8443,
          severity: { value: 5, cvss: { version: '2.0', vector: 'AV:N/AC:L/Au:N/C:P/I:N/A:N' } },
        },
      ],
    });
    expect(signalNamed(converted, '1.1 Separate partition').securityContext).toMatchObject({
      type: 'ca',
      status: { complianceStatus: 'fail' },
      evidence: { observationText: 'Expected: nodev\n\nFound: none' },
      standardsMapping: expect.arrayContaining([{ name: '800-53', value: ['AC-1'] }]),
    });
    expect(signalNamed(converted, '1.2 Password length').securityContext.status).toEqual({
      complianceStatus: 'pass',
    });
    expect(signalNamed(converted, 'Asset without findings')).toMatchObject({
      entityOnly: true,
      entity: { name: 'clean.halden.example' },
    });
  });

  it('OpenVAS: hosts that come after the results name them, bars stay in their texts', async () => {
    const converted = await convertFixture('OpenVAS XML');
    expect(signalNamed(converted, 'Sample SSH weakness')).toMatchObject({
      entity: { name: 'db01.halden.example', entityAttributes: { tags: { os: ['Debian GNU/Linux 12'] } } },
      description: 'Weak a|b ciphers.\n\nMore.',
      securityContexts: [{ port: 22, protocol: 'tcp', severity: { value: 5.3, level: 'medium' } }],
    });
  });

  it('Qualys: title, CVE and score are read from the glossary after the hosts; fixed findings pass', async () => {
    const converted = await convertFixture('Qualys asset data XML');
    expect(signalNamed(converted, 'Sample mail weakness')).toMatchObject({
      description: 'It is "weak".\nReally.',
      firstSeen: '2025-12-01T00:00:00.000Z',
      securityContexts: [
        {
          severity: {
            value: 7.3,
            cvss: { vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L', temporalScore: 6.4 },
          },
          standardsMapping: expect.arrayContaining([{ name: 'cve', value: ['CVE-2024-3331'] }]),
        },
      ],
    });
    expect(signalNamed(converted, 'Was weak').securityContext.status.complianceStatus).toBe('pass');
    expect(signalNamed(converted, 'Host name').securityContext.severity).toEqual({ value: 0, level: 'info' });
  });

  it('SARIF: rules that come after the results name them, each place is an instance', async () => {
    const converted = await convertFixture('SARIF');
    expect(signalNamed(converted, 'Sample injection (js/sample-injection)')).toMatchObject({
      source: { name: 'SampleQL' },
      securityContexts: [
        {
          detectionId: 'src/db.js:42',
          severity: { value: 8.8, level: 'high' },
          evidence: { observationText: 'Built from user input.\n\nAt: src/db.js:42' },
          standardsMapping: expect.arrayContaining([{ name: 'cwe', value: ['CWE-89'] }]),
        },
        { detectionId: 'src/other.js:7' },
        // A pass has no severity, though its rule has one.
        { detectionId: 'g-1', status: { complianceStatus: 'pass' }, severity: { level: 'info' } },
      ],
    });
    expect(signalNamed(converted, 'js/sample-review').securityContext).toMatchObject({
      status: { complianceStatus: 'unknown' },
      severity: { level: 'info' },
    });
    expect(signalNamed(converted, 'js/sample-fixed').securityContext.status.complianceStatus).toBe('pass');
  });

  it('Trivy: one package in two places is one finding; a secret is not taken over', async () => {
    const { zips, ...converted } = await convertFixture('Trivy');
    expect(signalNamed({ zips, ...converted }, 'CVE-2024-5551 (libsample)').securityContexts).toMatchObject([
      { detectionId: 'shop (debian 12.1) libsample@1.0', severity: { value: 9.8, level: 'critical' } },
      { detectionId: 'app/package-lock.json libsample@1.0', severity: { level: 'high' } },
    ]);
    expect(JSON.stringify(converted.signals)).not.toContain('TOPSECRET');
    expect(
      signalNamed({ zips, ...converted }, 'CVE-2024-5552 (libother)').securityContexts[0].severity,
    ).toEqual({
      level: 'medium',
    });
    expect(converted.out).toContain('has no severity: set to medium');
  });

  it('OCSF: the resource is the asset, frameworks are standards and techniques', async () => {
    const converted = await convertFixture('OCSF array, with Prowler');
    const failing = converted.signals.find(
      ({ name, entity }) =>
        name === 'Buckets are closed (sample_check)' && entity.name === 'arn:aws:s3:::halden-sample',
    );
    expect(failing).toMatchObject({
      entity: { entityAttributes: { tags: { cloudAccount: ['123456789012'] } } },
      securityContexts: [
        {
          type: 'ca',
          attackPattern: [{ mapping: { techniqueId: 'T1530' } }],
          standardsMapping: expect.arrayContaining([{ name: 'CIS-3.0', value: ['2.1.4'] }]),
          remediation: { reference: 'https://halden.example/close' },
        },
      ],
    });
    const audited = [1, 2, 3].map((id) => signalNamed(converted, `Audited ${id}`).securityContexts[0].status);
    expect(audited.map(({ complianceStatus }) => complianceStatus)).toEqual(['pass', 'unknown', 'fail']);
    const statuses = converted.signals.flatMap(({ securityContexts }) =>
      (securityContexts ?? []).map(
        (context: { status: { complianceStatus: string } }) => context.status.complianceStatus,
      ),
    );
    expect(statuses.sort()).toEqual(['fail', 'fail', 'fail', 'fail', 'pass', 'pass', 'unknown', 'unknown']);
    expect(signalNamed(converted, 'Weak packages: CVE-2024-8881')).toMatchObject({
      entity: { name: 'vm01.halden.example' },
      securityContexts: [{ type: 'va', severity: { value: 9.1 } }],
    });
  });

  it('CycloneDX: the analysis decides the state', async () => {
    const { signals } = await convertFixture('CycloneDX VEX');
    const states = signals
      .map(({ name, securityContexts }) => `${name} ${securityContexts[0].status.complianceStatus}`)
      .sort();
    expect(states).toEqual([
      'CVE-2024-9990 (other) fail',
      'CVE-2024-9990 (sample) fail',
      'CVE-2024-9991 (sample) unknown',
      'CVE-2024-9992 (sample) pass',
      'CVE-2024-9993 (sample) pass',
      'CVE-2024-9994 (sample) pass',
      'CVE-2024-9995 (sample) fail',
    ]);
  });

  it('DefectDojo: mitigated findings of the CSV pass, inactive ones do not; all CWEs count', async () => {
    const { signals } = await convertFixture('DefectDojo CSV');
    const told = signals.map(({ name, securityContexts: [context] }) => [
      name,
      context.status.complianceStatus,
      context.standardsMapping?.find(({ name }: { name: string }) => name === 'cwe')?.value,
    ]);
    expect(told.sort()).toEqual([
      ['Mended', 'pass', undefined],
      ['Put aside', 'fail', undefined],
      ['Sample, with a comma', 'fail', ['CWE-79', 'CWE-80']],
    ]);
  });

  it('ZAP: HTML becomes text, instances are named by the request', async () => {
    const { signals } = await convertFixture('ZAP XML');
    expect(signals[0]).toMatchObject({
      description: 'It is missing.',
      lastSeen: '2026-01-01T00:00:00.000Z',
      securityContexts: [
        {
          detectionId: 'GET https://www.halden.example/',
          remediation: { reference: 'https://halden.example/z' },
        },
        { detectionId: 'GET https://www.halden.example/a q' },
      ],
    });
  });
});

describe('the call', () => {
  it('takes several reports of several formats and merges their data of one asset', async () => {
    const { out, signals } = await runConvert(dir, {
      'a.nessus': fixtureNamed('Nessus v2').content,
      'b.jsonl': `${JSON.stringify({
        'template-id': 't',
        info: { name: 'N', severity: 'low' },
        host: 'web01.halden.example',
        ip: '10.9.9.9',
      })}\n`,
    });
    expect(out).toContain('Read       6 findings in 2 files (nessus, nuclei)');
    const web = signals.filter(({ entity }) => entity.name === 'web01.halden.example');
    expect(web).toHaveLength(5);
    for (const { entity } of web) {
      expect(entity.entityAttributes.ipAddresses).toHaveLength(2);
    }
  });

  it('keeps hosts of one name apart with --asset-matching fqdn', async () => {
    const found = (host: string) => JSON.stringify({ 'template-id': 't', info: { name: 'N' }, host });
    const reports = { 'a.jsonl': [found('www.shop.example'), found('www.bank.example')].join('\n') };
    const names = ({ signals }: Converted) => signals.map(({ entity }) => entity.name).sort();
    expect(names(await runConvert(dir, reports))).toEqual(['www.shop.example']);
    expect(names(await runConvert(dir, reports, '--asset-matching', 'fqdn'))).toEqual([
      'www.bank.example',
      'www.shop.example',
    ]);
    const { exitCode, err } = await runConvert(dir, reports, '--asset-matching', 'host');
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringMatching(/must be name or fqdn/) });
  });

  it('gives the same bytes for the same reports', async () => {
    const [first, second] = [await convertFixture('Nessus v2'), await convertFixture('Nessus v2')];
    expect(first.zips[0]!.bytes.equals(second.zips[0]!.bytes)).toBe(true);
  });

  it('lists findings below --min-severity, and with --strict writes nothing', async () => {
    const low = await convertFixture('Nessus v2', '--min-severity', 'medium', '--json');
    expect(JSON.parse(low.out)).toMatchObject({
      read: 5,
      mapped: 4,
      notMapped: [{ text: 'below the minimum severity medium', count: 1 }],
    });
    const strict = await convertFixture('Nessus v2', '--min-severity', 'medium', '--strict', '--json');
    expect(strict).toMatchObject({ exitCode: 1, zips: [], left: [] });
    expect(JSON.parse(strict.out)).toMatchObject({ ok: false });
  });

  it('compares the score of a finding with --min-severity before its level, as the service does', async () => {
    const vulnerability = (id: string, Severity: string, V3Score?: number) => ({
      ...{ VulnerabilityID: id, PkgName: 'p', InstalledVersion: '1', Severity },
      ...(V3Score !== undefined && { CVSS: { nvd: { V3Score } } }),
    });
    const report = JSON.stringify({
      SchemaVersion: 2,
      ArtifactName: 'shop',
      Results: [
        {
          Target: 'shop (debian 12)',
          Vulnerabilities: [
            vulnerability('CVE-2026-1', 'LOW', 9.8),
            vulnerability('CVE-2026-2', 'HIGH', 3.1),
            vulnerability('CVE-2026-3', 'HIGH'),
          ],
        },
      ],
    });
    const { signals } = await runConvert(dir, { 'trivy.json': report }, '--min-severity', 'high');
    expect(signals.map(({ name }) => name).sort()).toEqual(['CVE-2026-1 (p)', 'CVE-2026-3 (p)']);
  });

  it('writes each finding that is not mapped, and each note, to --report', async () => {
    const report = join(dir, 'report.json');
    await convertFixture('OpenVAS XML', '--report', report);
    const written = JSON.parse(await readFile(report, 'utf8'));
    expect(written).toMatchObject({ read: 4, mapped: 2, listed: 2 });
    expect(written.entries.filter(({ what }: { what: string }) => what === 'not mapped')).toMatchObject([
      { place: 'line 13', name: 'Not so', text: 'marked as a false positive in the report' },
      { place: 'line 14', name: 'Timed out' },
    ]);
  });

  it('fails with --report on a full disk, and leaves nothing', async () => {
    const report = join(dir, 'full.json');
    await symlink('/dev/full', `${report}.part`);
    const converted = await convertFixture('OpenVAS XML', '--report', report, '--json');
    expect(converted).toMatchObject({ exitCode: 1, zips: [], left: [] });
    expect(JSON.parse(converted.out)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/full\.json is full/),
    });
    expect((await readdir(dir)).filter((name) => name.startsWith('full.json'))).toEqual([]);
  });

  it('writes no ZIP if the report cannot have its name', async () => {
    const report = await mkdtemp(join(dir, 'report-'));
    const converted = await convertFixture('OpenVAS XML', '--report', report);
    expect(converted).toMatchObject({ exitCode: 2, zips: [], left: [] });
    expect(converted.err).toMatch(/cannot read or write .*report-/);
  });

  it('gives findings without a time the one of --observed-at, and no clock’s', async () => {
    const plain = await convertFixture('Nuclei JSON Lines');
    expect(signalNamed(plain, 'Technology (tech-detect)').lastSeen).toBeUndefined();
    expect(plain.out).toContain('has no time: set the observation time');
    const timed = await convertFixture('Nuclei JSON Lines', '--observed-at', '2026-02-01T01:00:00+01:00');
    expect(signalNamed(timed, 'Technology (tech-detect)').lastSeen).toBe('2026-02-01T00:00:00.000Z');
  });

  it('splits an asset that is larger than a ZIP over several without replacement, and loses no signal', async () => {
    const evidence = () => randomBytes(8_000).toString('hex');
    const findings = Array.from({ length: 800 }, (_, i) =>
      JSON.stringify({
        'template-id': `t${i}`,
        info: { name: 'N' },
        host: 'web01',
        'extracted-results': [evidence()],
      }),
    );
    const reports = { 'a.jsonl': findings.join('\n') };
    const spread = await runConvert(dir, reports, '--json');
    expect(JSON.parse(spread.out)).toMatchObject({ read: 800, mapped: 800, listed: 0, assets: 1 });
    expect(spread.zips).toHaveLength(2);
    expect(spread.signals).toHaveLength(800);
    const whole = await runConvert(dir, reports, '--json', '--replace', 'va');
    expect(whole.zips).toHaveLength(1);
    expect(JSON.parse(whole.out)).toMatchObject({
      mapped: 800,
      notes: expect.arrayContaining([
        { text: 'does not fit in one ZIP: its texts are cut to 2000 characters', count: 1 },
      ]),
    });
  });

  it('names the ZIPs of an earlier run, and removes only these with --force', async () => {
    const folder = await mkdtemp(join(dir, 'out-'));
    const parts = ['signals-001.zip', 'signals-003.zip'];
    const others = ['other-001.zip', 'signals-000.zip', 'signals-2026.zip', 'signals-20261130.zip'];
    for (const name of others) await writeFile(join(folder, name), name);
    const convert = (...args: string[]) =>
      convertFixture('SARIF', '--out', join(folder, 'signals.zip'), ...args);
    expect(await convert()).toMatchObject({ exitCode: 0 });
    for (const name of parts) await writeFile(join(folder, name), name);
    const refused = await convert();
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain('signals.zip already exists');
    expect(refused.err).toContain('--force removes signals.zip, signals-001.zip, signals-003.zip');
    expect(await convert('--force')).toMatchObject({ exitCode: 0 });
    expect((await readdir(folder)).sort()).toEqual([...others, 'signals.zip'].sort());
  });

  it('packs a config.json with --replace', async () => {
    const { zips } = await convertFixture('Nessus v2', '--replace', 'va,ca');
    expect(zips[0]!.bytes.includes('config.json')).toBe(true);
    const listed = await convertFixture('OpenVAS XML', '--replace', 'va');
    expect(listed.out).toContain('the service retires existing findings that are not mapped');
  });

  const ocsf = { class_uid: 2002, metadata: {}, finding_info: { title: 'Weak' }, time: 1_770_000_000_000 };

  it.each<[string, string, string[]]>([
    ['of --asset', fixtureNamed('SARIF').content, ['--asset', 'Acme.Web']],
    ['of --asset, of a finding in OCSF', JSON.stringify(ocsf), ['--asset', 'Acme.Web']],
    [
      'of --asset without findings',
      '{"findings":[]}',
      ['--asset', 'Acme.Web', '--from', 'defectdojo', '--allow-empty'],
    ],
    [
      'of an application',
      fixtureNamed('Checkmarx').content.replace(/ProjectName="[^"]*"/, 'ProjectName="Acme.Web"'),
      [],
    ],
    [
      'of an application without findings',
      JSON.stringify({ SchemaVersion: 2, ArtifactName: 'Acme.Web', Results: [{ Target: 'go.mod' }] }),
      ['--allow-empty'],
    ],
  ])(
    'rejects the name of a host with a domain %s with --replace, and notes it otherwise',
    async (_, report, args) => {
      const convert = (...more: string[]) => runConvert(dir, { report }, ...args, ...more);
      const replacing = await convert('--replace', 'va');
      expect(replacing).toMatchObject({ exitCode: 2, zips: [] });
      const given = args.includes('Acme.Web') ? 'Acme.Web ' : '';
      expect(replacing.err).toContain(`its asset name ${given}has dots`);
      expect(replacing.err).toContain('applies to all assets of the report');
      const noted = await convert();
      expect(noted.exitCode).toBe(0);
      expect(noted.out).toContain(`its asset name ${given}has dots`);
      const separated = await convert('--replace', 'va', '--asset-matching', 'fqdn');
      expect(separated.exitCode).toBe(0);
      expect(separated.out).not.toContain('its asset name');
    },
  );

  it('takes the name of --asset for a host if the report does', async () => {
    const host = ['--asset', 'web09.halden.example'];
    const generic = { title: 'Weak', severity: 'High', endpoints: ['https://web09.halden.example/'] };
    for (const report of [fixtureNamed('Nmap').content, JSON.stringify({ findings: [generic] })]) {
      const { exitCode, out } = await runConvert(dir, { report }, ...host, '--replace', 'va');
      expect(exitCode).toBe(0);
      expect(out).not.toContain('its asset name');
    }
  });

  it.each([
    [
      'a truncated report',
      { 'a.nessus': fixtureNamed('Nessus v2').content.slice(0, 2_000) },
      /line 31: is not valid XML or is truncated/,
    ],
    [
      'JSON that ends too early',
      { 'a.json': '{"bomFormat": "CycloneDX", "vulnerabilities": [{"id": "CVE-2024-1"}, {"id"' },
      /line 1, column 75: ends within its JSON/,
    ],
    [
      'a line that is no JSON',
      { 'a.jsonl': '{"template-id":"t","info":{}}\n{oops\n' },
      /line 2: is not valid JSON/,
    ],
    ['an unknown format', { 'a.txt': 'hello' }, /has an unknown format/],
  ])('rejects %s, and writes nothing', async (_, reports, words) => {
    const { exitCode, err, zips, left } = await runConvert(dir, reports);
    expect({ exitCode, zips: zips.length, left }).toEqual({ exitCode: 2, zips: 0, left: [] });
    expect(err).toMatch(words);
  });

  it('reads UTF-16 as PowerShell writes it, and the encoding that XML declares', async () => {
    const grype = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(fixtureNamed('Grype').content, 'utf16le'),
    ]);
    expect(JSON.parse((await runConvert(dir, { 'a.json': grype }, '--json')).out)).toMatchObject({
      mapped: 2,
    });
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><OWASPZAPReport><site host="h"><alerts><alertitem><name>Brüchig</name>' +
        '<riskcode>1</riskcode></alertitem></alerts></site></OWASPZAPReport>',
      'latin1',
    );
    expect((await runConvert(dir, { 'a.xml': latin })).signals[0].name).toBe('Brüchig');
  });

  it('resolves no entity that a document defines', async () => {
    const bomb =
      '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>' +
      '<OWASPZAPReport><site host="h"><alerts><alertitem><name>&b;&c;</name></alertitem></alerts></site></OWASPZAPReport>';
    const { exitCode, err } = await runConvert(dir, { 'a.xml': bomb });
    expect(exitCode).toBe(2);
    expect(err).toContain('is not valid XML');
  });

  it('lists its formats', async () => {
    const { out } = await runConvert(dir, {}, '--list', '--json');
    expect(JSON.parse(out).formats.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([...new Set(FIXTURES.map(({ format }) => format))]),
    );
  });

  it('explains the first findings of a report, with --json in one document', async () => {
    const reports = { 'a.sarif': fixtureNamed('SARIF').content, 'b.sarif': fixtureNamed('SARIF').content };
    const { exitCode, out } = await runConvert(dir, reports, '--explain', '--json');
    const report = { format: 'sarif', findings: expect.arrayContaining([expect.anything()]) };
    expect([exitCode, JSON.parse(out)]).toMatchObject([
      0,
      {
        ok: true,
        reports: [
          { file: expect.stringMatching(/a\.sarif$/), ...report },
          { file: expect.stringMatching(/b\.sarif$/), ...report },
        ],
      },
    ]);
  });
});
