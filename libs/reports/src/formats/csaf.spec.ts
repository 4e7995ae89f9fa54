import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-csaf-'));
});
afterAll(() => rm(dir, { recursive: true }));

const convert = (content: string) => runConvert(dir, { 'a.json': content }, '--asset', 'shop');

it('a statement about a product has its name without the version; the products are instances', async () => {
  const { signals } = await convert(fixtureNamed('CSAF').content);
  const found = signals.flatMap(({ name, securityContexts }) =>
    securityContexts.map((context: { status: { complianceStatus: string }; detectionId: string }) => [
      name,
      context.status.complianceStatus,
      context.detectionId,
    ]),
  );
  expect(found.sort()).toEqual([
    ['CVE-2026-1001 in Sample Server', 'fail', 'Sample Server 1.0'],
    ['CVE-2026-1001 in Sample Server', 'pass', 'Sample Server 1.1'],
    ['CVE-2026-1001 in pkg:npm/%40halden/sample', 'pass', 'sample library 3.4 in Sample Server 1.0'],
    ['HALDEN-7 in Sample Server', 'unknown', 'Sample Server 1.0'],
  ]);
});

it('scores, flags and remediations are those of the product', async () => {
  const { signals } = await convert(fixtureNamed('CSAF').content);
  const server = signals.find(({ name }) => name === 'CVE-2026-1001 in Sample Server');
  const affected = server.securityContexts.find(
    ({ detectionId }: { detectionId: string }) => detectionId === 'Sample Server 1.0',
  );
  expect(server).toMatchObject({ entity: { name: 'shop' }, lastSeen: '2026-01-02T00:00:00.000Z' });
  expect(affected).toMatchObject({
    severity: { value: 7.5, level: 'high', cvss: { version: '3.1', baseScore: 7.5 } },
    remediation: {
      description: 'Update to 1.1.\n\nLimit the size of requests.',
      reference: 'https://halden.example/fix\nhttps://halden.example/a',
    },
    standardsMapping: [
      { name: 'cve', value: ['CVE-2026-1001'] },
      { name: 'cwe', value: ['CWE-400'] },
    ],
    tags: { package: ['Sample Server'], version: ['1.0'] },
  });
  const library = signals.find(({ name }) => name.includes('pkg:npm'));
  expect(library.securityContexts[0]).toMatchObject({
    severity: { level: 'medium' },
    evidence: { observationText: expect.stringContaining('vulnerable_code_not_in_execute_path') },
  });
});

it('another version of CSAF, and an advisory without vulnerabilities, are rejected', async () => {
  for (const [document, words] of [
    [{ document: { csaf_version: '2.1' }, vulnerabilities: [] }, 'its csaf_version in document is not 2.0'],
    [{ document: { csaf_version: '2.0' } }, 'it has no vulnerabilities'],
  ] as const) {
    const { exitCode, err } = await runConvert(
      dir,
      { 'a.json': JSON.stringify(document) },
      '--from',
      'csaf',
      '--asset',
      'shop',
    );
    expect(exitCode).toBe(2);
    expect(err).toContain(`is not a CSAF 2.0 document with vulnerabilities: ${words}`);
  }
});
