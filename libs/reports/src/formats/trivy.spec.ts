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
