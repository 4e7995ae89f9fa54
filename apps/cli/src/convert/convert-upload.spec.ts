import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { FIXTURES } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { runPosture } from '../posture.ts';

let gateway: StartedGateway;
let dir: string;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
  dir = await mkdtemp(join(tmpdir(), 'posture-convert-upload-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(dir, { recursive: true });
});

async function upload(...args: string[]) {
  const [POSTURE_USERNAME, POSTURE_PASSWORD] = gateway.credentialsOf('analyst').split(':');
  const terminal = recordingTerminal({ POSTURE_URL: gateway.url, POSTURE_USERNAME, POSTURE_PASSWORD });
  const exitCode = await runPosture(['upload', '--json', ...args], terminal);
  return { exitCode, err: terminal.err(), ...JSON.parse(terminal.out()) };
}

/** Each format's ZIP in a separate file. */
async function convertAll(): Promise<{ files: string[]; signals: number }> {
  const zips = join(dir, 'zips');
  await mkdir(zips);
  const files: string[] = [];
  let signals = 0;
  for (const [i, { fileName, content, asset, signals: made }] of FIXTURES.entries()) {
    if (made === 0) continue;
    const converted = await runConvert(dir, { [fileName]: content }, ...(asset ? ['--asset', asset] : []));
    const file = join(zips, `${i}.zip`);
    await writeFile(file, converted.zips[0]!.bytes);
    files.push(file);
    signals += made;
  }
  return { files, signals };
}

it('converted signals of every format are previewed and uploaded completely, and a second upload changes nothing', async () => {
  const { files, signals } = await convertAll();
  const taken = (answer: { zips: { accepted: number }[] }) =>
    answer.zips.reduce((sum, { accepted }) => sum + accepted, 0);

  const preview = await upload('--dry-run', ...files);
  expect(preview).toMatchObject({ exitCode: 0, err: '', ok: true, dryRun: true });
  expect(taken(preview)).toBe(signals);

  const first = await upload(...files);
  expect(first).toMatchObject({ exitCode: 0, ok: true, folded: true });
  expect(taken(first)).toBe(signals);
  expect(first.outcome.ignored).toEqual({});
  expect(first.outcome.created).toBeGreaterThan(50);

  const again = await upload(...files.slice(0, 1));
  expect(again.outcome).toMatchObject({ created: 0, updated: 0, unchanged: 4, retired: 0 });
});
