import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CLUSTER_FOLDER, claimInstance, runningInstanceUrl } from './running-instance.ts';

const ROUNDS = 60;
const CLAIMANTS = 6;
/** Time for every claimant to receive the instant, also on a busy machine; a late one claims a little later. */
const NOTICE_MS = 50;

/** Built by `npm test`; a started process reads no TypeScript. */
const library = new URL('../../../dist/libs/database/src/index.js', import.meta.url).href;

/** Claims at a given instant, and keeps the claim until the next message; answers why not, or null. */
const claimant = `
  import { claimInstance } from '${library}';
  let claim;
  process.on('message', async ({ directory, at }) => {
    await claim?.release();
    claim = undefined;
    while (Date.now() < at);
    try {
      claim = await claimInstance(directory);
      process.send(null);
    } catch (error) {
      process.send(error.message);
    }
  });
  process.send('ready');`;

let dataDir: string;
let directory: string;
const children: ChildProcess[] = [];

async function startClaimant(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', claimant], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  await once(child, 'message');
  return child;
}

/** Null of the one that has it, otherwise why not. */
async function claimAt(child: ChildProcess, at: number): Promise<string | null> {
  const answer = once(child, 'message');
  child.send({ directory, at });
  return (await answer)[0];
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'claims-'));
  directory = join(dataDir, CLUSTER_FOLDER);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.kill('SIGKILL')) await once(child, 'exit');
  }
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

it('gives the cluster to exactly one of the processes that claim it in one millisecond', async () => {
  const claimants = await Promise.all(Array.from({ length: CLAIMANTS }, startClaimant));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const at = Date.now() + NOTICE_MS;
    const answers = await Promise.all(claimants.map((child) => claimAt(child, at)));
    const refusals = answers.filter((answer) => answer !== null);
    expect({ round, winners: answers.length - refusals.length }).toEqual({ round, winners: 1 });
    for (const refusal of refusals) expect(refusal).toMatch(/ is in use by another instance/);
  }
}, 120_000);

it('frees the cluster when its process is killed, and never while a command asks for it', async () => {
  const child = await startClaimant();
  expect(await claimAt(child, 0)).toBeNull();
  await expect(runningInstanceUrl(dataDir)).rejects.toThrow('is starting or stopping: retry');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await runningInstanceUrl(dataDir)).toBeNull();
  const [claim] = await Promise.all([
    claimInstance(directory),
    ...Array.from({ length: 20 }, () => runningInstanceUrl(dataDir).catch(() => null)),
  ]);
  await claim.announce('postgres://there');
  expect(await runningInstanceUrl(dataDir)).toBe('postgres://there');
  await claim.release();
  expect(await runningInstanceUrl(dataDir)).toBeNull();
});
