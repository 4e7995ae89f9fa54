import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeVerifyMetrics } from './verify-metrics.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-metrics-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('writes the metrics of the last run as docs/observing.md describes them', async () => {
  const file = join(folder, 'posture_verify.prom');
  await writeVerifyMetrics(file, { rows: 12, differing: 0, unfolded: 0, finishedAt: 1_000 });
  await writeVerifyMetrics(file, { rows: 12, differing: 3, unfolded: 7, finishedAt: 1_767_225_600_500 });
  const lines = (await readFile(file, 'utf8')).split('\n');
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples).toEqual([
    'posture_verify_finished_timestamp_seconds 1767225600.5',
    'posture_verify_compared_rows 12',
    'posture_verify_differing_rows 3',
    'posture_verify_unfolded_records 7',
  ]);
  expect(await readdir(folder)).toEqual(['posture_verify.prom']);
  const page = await readFile(new URL('../../../../docs/observing.md', import.meta.url), 'utf8');
  for (const sample of samples) expect(page).toContain(`\`${sample.split(' ')[0]}\``);
});

it.each([
  ['none/posture.prom', 'ENOENT'],
  ['posture_verify.prom/posture.prom', 'ENOTDIR'],
])('leaves nothing if it cannot write %s', async (name, code) => {
  const file = join(folder, name);
  await expect(
    writeVerifyMetrics(file, { rows: 1, differing: 0, unfolded: 0, finishedAt: 0 }),
  ).rejects.toMatchObject({
    exitCode: 2,
    message: `cannot write ${file} (${code})`,
  });
  expect(await readdir(folder)).toEqual(['posture_verify.prom']);
});
