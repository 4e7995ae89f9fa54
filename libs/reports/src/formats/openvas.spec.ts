import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-openvas-'));
});
afterAll(() => rm(dir, { recursive: true }));

it.each([
  ['Done', 0],
  ['Stopped', 2],
  ['Running', 2],
])('a scan in the state %s: replacing exits with %d', async (state, expected) => {
  const { content } = fixtureNamed('OpenVAS XML');
  const report = content.replace('<results', `<scan_run_status>${state}</scan_run_status><results`);
  const { exitCode, err } = await runConvert(dir, { 'a.xml': report }, '--replace', 'va');
  expect(exitCode).toBe(expected);
  if (expected > 0)
    expect(err).toContain('is incomplete (its scan_run_status in report in report is not Done)');
});
