import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-qualys-was-'));
});
afterAll(() => rm(dir, { recursive: true }));

const convert = (content: string) => runConvert(dir, { 'a.xml': content });

it('a detection has its entry of the glossary, its URL and parameter, and no request', async () => {
  const { signals } = await convert(fixtureNamed('Qualys WAS').content);
  expect(signals.find(({ name }) => name === 'Sample injection')).toMatchObject({
    description: 'It is weak.\nVery.',
    entity: { name: 'shop.halden.example', entityAttributes: { tags: { webApplication: ['Shop'] } } },
    lastSeen: '2026-03-11T17:07:00.000Z',
    securityContexts: [
      {
        severity: { level: 'critical' },
        detectionId: 'https://shop.halden.example/search q',
        standardsMapping: [
          { name: 'qid', value: ['150001'] },
          { name: 'cwe', value: ['CWE-89'] },
          { name: 'owasp', value: ['A1'] },
          { name: 'wasc', value: ['WASC-19', 'WASC-20'] },
        ],
        evidence: {
          observationText: "URL: https://shop.halden.example/search\n\nParameter: q\n\nPayload: q=1'",
        },
        remediation: { description: 'Bind it.' },
        tags: { category: ['Potential Vulnerability'], group: ['SQL'], detection: ['potential'] },
      },
    ],
  });
  expect(JSON.stringify(signals)).not.toContain('hunter2');
});

it('gathered information is info, of the web application, with its decoded data', async () => {
  const { signals } = await convert(fixtureNamed('Qualys WAS').content);
  const { entity, lastSeen, securityContext } = signals.find(({ name }) => name === 'DNS Host Name');
  expect([entity.name, lastSeen]).toEqual(['shop.halden.example', '2026-03-11T14:00:00.000Z']);
  expect(securityContext).toMatchObject({
    severity: { level: 'info' },
    evidence: { observationText: 'shop.halden.example' },
  });
});

it('a report without results is rejected', async () => {
  const { exitCode, err } = await convert('<WAS_SCAN_REPORT><HEADER/></WAS_SCAN_REPORT>');
  expect(exitCode).toBe(2);
  expect(err).toContain('is not a scan report of Qualys WAS: it has no RESULTS');
});
