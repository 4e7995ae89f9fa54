import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runningInstanceUrl } from '#libs/database';
import { plainSignal } from '../support/api-client.ts';
import { CONTAINER, CONTAINER_WITH_NETWORK, describeContainers } from '../support/containers.ts';
import { describeInRun, hasChanged } from '../support/part-of-run.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture, postureWithin } from '../support/verify.ts';

/** Several starts each. */
const SLOW_MS = 300_000;

let dataDir: string;
let running: StartedStandalone | undefined;

const start = async (within: readonly string[] = []) => {
  running = await StartedStandalone.start(dataDir, {}, within);
  return running;
};

async function upload(service: StartedStandalone, finding: string): Promise<void> {
  const client = await service.client();
  const { status, body } = await client.signal(plainSignal(finding, 'host'));
  expect(status).toBe(200);
  await client.folded(body.uploadId);
}

const findingsOf = async (service: StartedStandalone) =>
  (await (await service.client()).all('/api/v3/findings')).map(({ name }) => name).sort();

const WHAT_IT_TESTS = ['libs/database', 'libs/program', 'apps/standalone'];
const ROTATION = { shares: 3, turn: 2, isDue: hasChanged(...WHAT_IT_TESTS), as: describeContainers } as const;

describeInRun(ROTATION, 'two containers on one DATA_DIR', () => {
  beforeEach(async () => {
    dataDir = await temporaryDataDir();
  });
  afterEach(async () => {
    await running?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it(
    'run one service: the second start is rejected with a message, and nothing of the first is lost',
    async () => {
      const service = await start();
      await upload(service, 'before');
      await expect(StartedStandalone.start(dataDir, {}, CONTAINER)).rejects.toThrow(
        `postgres is in use by another instance (process ${service.pid} on `,
      );
      await upload(service, 'after');
      expect(await findingsOf(service)).toEqual(['after', 'before']);
      await expectVerified({ DATA_DIR: dataDir });
    },
    SLOW_MS,
  );

  it(
    'share commands: they use the database that runs, or say where to run them',
    async () => {
      await upload(await start(), 'finding');
      expect(await postureWithin(CONTAINER, { DATA_DIR: dataDir }, 'verify')).toMatch(/^Clean: /);
      for (const command of [['verify'], ['backup', join(dataDir, 'backup')]]) {
        await expect(
          postureWithin(CONTAINER_WITH_NETWORK, { DATA_DIR: dataDir }, ...command),
        ).rejects.toThrow(/runs in another container \(.+\): run the command there/);
      }
    },
    SLOW_MS,
  );

  it(
    'follow one another: a start waits for no hand when the container before it is killed',
    async () => {
      const service = await start(CONTAINER);
      await upload(service, 'before');
      await service.kill();
      running = undefined;
      await until('the end of the container', async () => (await stateOf()) === 'free');
      const next = await start();
      expect(await findingsOf(next)).toEqual(['before']);
      await expectVerified({ DATA_DIR: dataDir });
    },
    SLOW_MS,
  );

  it(
    'never run two PostgreSQL servers: one that outlived its service is not visible to the second',
    async () => {
      const service = await start();
      await upload(service, 'before');
      await service.kill();
      const orphan = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
      await expect(StartedStandalone.start(dataDir, {}, CONTAINER)).rejects.toThrow(
        /left behind still uses .+ stop the container that it runs in/,
      );
      await expect(postureWithin(CONTAINER, { DATA_DIR: dataDir }, 'log')).rejects.toThrow(/left behind/);
      expect(process.kill(orphan, 0)).toBe(true);
      expect(await posture({ DATA_DIR: dataDir }, 'log')).toContain('SignalReceived');
      expect(await findingsOf(await start())).toEqual(['before']);
    },
    SLOW_MS,
  );
});

const stateOf = () =>
  runningInstanceUrl(dataDir).then(
    (url) => (url ? 'running' : 'free'),
    () => 'not reachable',
  );
