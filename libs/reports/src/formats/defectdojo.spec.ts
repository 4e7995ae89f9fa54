import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-defectdojo-'));
});
afterAll(() => rm(dir, { recursive: true }));

it('ignores a CVSS score of 0, for the next one or the severity', async () => {
  const finding = { severity: 'High', description: 'd', cvssv3_score: 0 };
  const findings = [
    { ...finding, title: 'only' },
    { ...finding, title: 'with another', cvssv2_score: 7.1 },
  ];
  const { signals } = await runConvert(
    dir,
    { 'a.json': JSON.stringify({ findings }) },
    ...['--asset', 'shop', '--from', 'defectdojo'],
  );
  const severities = signals.map(({ name, securityContext }) => [name, securityContext.severity]);
  expect(severities.sort()).toEqual([
    ['only', { level: 'high' }],
    ['with another', { type: 'cvss', value: 7.1, level: 'high', cvss: { baseScore: 7.1 } }],
  ]);
});
