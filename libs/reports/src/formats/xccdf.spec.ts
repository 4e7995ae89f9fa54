import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-xccdf-'));
});
afterAll(() => rm(dir, { recursive: true }));

const convert = (content: string) => runConvert(dir, { 'a.xml': content });

it.each(['XCCDF', 'XCCDF with a prefix'])(
  '%s: a result has the texts of its rule; what was not evaluated is not assessed',
  async (title) => {
    const { signals } = await convert(fixtureNamed(title).content);
    const found = signals.map(({ name, securityContexts: [context] }) => [
      name,
      context.type,
      context.status.complianceStatus,
      context.severity.level,
    ]);
    expect(found.sort()).toEqual([
      ['A banner is shown', 'ca', 'unknown', 'medium'],
      ['Sample update', 'va', 'pass', 'low'],
      ['Telnet is off', 'ca', 'fail', 'high'],
    ]);
    expect(signals.find(({ name }) => name === 'Telnet is off')).toMatchObject({
      description: 'It is not encrypted.',
      lastSeen: '2026-01-01T10:30:00.000Z',
      entity: {
        name: 'web09.halden.example',
        entityAttributes: {
          ipAddresses: [{ ipv4: '10.0.9.5' }],
          networkInterface: [{ macAddress: ['00:50:56:AA:00:05'] }],
        },
      },
      securityContexts: [
        {
          detectionId: 'rule_1',
          standardsMapping: [
            { name: 'rule', value: ['rule_1'] },
            { name: 'version', value: ['SAMPLE-01'] },
            { name: 'cci', value: ['CCI-000366'] },
          ],
          evidence: { observationText: 'Check: oval:sample:def:1' },
          remediation: { description: 'Remove it.' },
        },
      ],
    });
  },
);

it('a target that calls itself localhost has its address', async () => {
  const content = fixtureNamed('XCCDF').content.replace('web09.halden.example', 'localhost.localdomain');
  const { signals } = await convert(content);
  expect(new Set(signals.map(({ entity }) => entity.name))).toEqual(new Set(['10.0.9.5']));
});

it('a benchmark without results is rejected', async () => {
  const { exitCode, err } = await convert(
    '<Benchmark xmlns="http://checklists.nist.gov/xccdf/1.2"><Rule id="a"/></Benchmark>',
  );
  expect(exitCode).toBe(2);
  expect(err).toContain('is not an XCCDF benchmark with results: it has no TestResult');
});

it('a text with the prefix of SCC does not make the benchmark one of SCC', async () => {
  const { content } = fixtureNamed('XCCDF');
  const { signals } = await convert(content.replace('<Rule ', '<!-- <cdf:Benchmark > --><Rule '));
  expect(signals).toHaveLength(3);
});
