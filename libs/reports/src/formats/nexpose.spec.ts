import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-nexpose-'));
});
afterAll(() => rm(dir, { recursive: true }));

const convert = (content: string) => runConvert(dir, { 'a.xml': content });

it('a test has the definition that follows the hosts, its port, and the time of its scan', async () => {
  const { signals } = await convert(fixtureNamed('Nexpose').content);
  expect(signals).toHaveLength(3);
  expect(signals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ entityOnly: true, entity: expect.objectContaining({ name: '10.0.9.6' }) }),
    ]),
  );
  expect(signals.find(({ name }) => name === 'Sample TLS weakness')).toMatchObject({
    description: 'The service is weak.',
    entity: {
      name: 'web09.halden.example',
      entityAttributes: {
        fqdn: 'web09.halden.example',
        ipAddresses: [{ ipv4: '10.0.9.5' }],
        networkInterface: [{ macAddress: ['00:50:56:AA:00:05'] }],
        tags: { os: ['Ubuntu Linux 24.04'], nexposeDeviceId: ['26'], site: ['Oslo'] },
      },
    },
    lastSeen: '2026-01-01T11:00:00.000Z',
    securityContexts: [
      {
        severity: {
          value: 7.5,
          level: 'high',
          cvss: { version: '2.0', vector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', baseScore: 7.5 },
        },
        port: 443,
        protocol: 'tcp',
        standardsMapping: [
          { name: 'cve', value: ['CVE-2026-1001'] },
          { name: 'nexpose', value: ['SAMPLE-TLS'] },
          { name: 'advisory', value: ['BID 17'] },
        ],
        evidence: { observationText: 'Key: /login\n\nTLS 1.0 offered' },
        remediation: {
          description: '- Update it.\n\nFix https://halden.example/fix',
          reference: 'https://halden.example/a',
        },
      },
    ],
  });
});

it('a CVSS score of 0 is none: the severity of the definition counts', async () => {
  const { signals } = await convert(fixtureNamed('Nexpose').content);
  const { firstSeen, securityContext } = signals.find(({ name }) => name === 'Sample redirect');
  expect(firstSeen).toBe('2025-12-31T09:00:00.000Z');
  expect(securityContext).toMatchObject({
    severity: { level: 'low' },
    evidence: { observationText: '- redirects are 1, expected 0' },
  });
  expect(securityContext.severity.value).toBeUndefined();
});

it('an export without hosts is rejected', async () => {
  const { exitCode, err } = await convert('<NexposeReport version="2.0"><scans/></NexposeReport>');
  expect(exitCode).toBe(2);
  expect(err).toContain('is not an XML Export of Nexpose: it has no nodes');
});

it('a scan that has not finished replaces nothing', async () => {
  const whole = fixtureNamed('Nexpose').content;
  const stopped = whole.replace('status="finished"', 'status="stopped"');
  const { exitCode, err } = await runConvert(dir, { 'a.xml': stopped }, '--replace', 'va');
  expect([exitCode, err]).toEqual([
    2,
    expect.stringContaining('status in scan in scans in NexposeReport is not finished'),
  ]);
  expect((await runConvert(dir, { 'a.xml': whole }, '--replace', 'va')).exitCode).toBe(0);
});
