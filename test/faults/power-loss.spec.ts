import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { describeDisks, LoopDisk } from '../support/loop-disk.ts';
import { describeInRun, hasChanged } from '../support/part-of-run.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { expectVerified } from '../support/verify.ts';

/** As a newcomer starts it: the first admin is generated. */
const GENERATED = { POSTURE_ADMIN_USERNAME: '', POSTURE_ADMIN_PASSWORD: '' };
const DISK_MB = 400;
const SLOW_MS = 300_000;

let disk: LoopDisk;
let dataDir: string;
let running: StartedStandalone | undefined;

async function start(): Promise<ApiClient> {
  running = await StartedStandalone.start(dataDir, GENERATED);
  const text = await readFile(join(dataDir, 'initial-credentials'), 'utf8');
  const [, username, password] = /^username=(.+)\npassword=(.+)\n$/.exec(text)!;
  return ApiClient.signIn(running.url, { username: username!, password: password! });
}

/** The machine loses its power: nothing more reaches the disk, and no process lives. */
async function losePower(): Promise<void> {
  const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  await disk.cutPower();
  await running!.kill();
  running = undefined;
  try {
    process.kill(-postmaster, 'SIGKILL');
  } catch {
    // It has noticed the loss of its disk.
  }
  await disk.mountAgain();
}

const WHAT_IT_TESTS = ['libs/database', 'libs/durable-file', 'libs/event-log'];
const ROTATION = { shares: 2, turn: 1, isDue: hasChanged(...WHAT_IT_TESTS), as: describeDisks } as const;

describeInRun(ROTATION, 'power loss', () => {
  beforeEach(async () => {
    disk = await LoopDisk.make(DISK_MB);
    dataDir = join(disk.path, 'new', 'data');
  });
  afterEach(async () => {
    await running?.stop();
    await disk.remove();
  });

  it(
    'in the first seconds of a site loses no key, no password and no acknowledged signal',
    async () => {
      const client = await start();
      const { status } = await client.signal(plainSignal('acknowledged', 'host'));
      expect(status).toBe(200);
      const unflushed = join(disk.path, 'unflushed');
      await writeFile(unflushed, 'never on the disk');
      const key = await readFile(join(dataDir, 'secret-key'), 'utf8');
      await losePower();

      // Pages were really lost: otherwise this test would show nothing.
      expect(await readFile(unflushed, 'utf8').catch(() => '')).toBe('');
      expect(await readFile(join(dataDir, 'secret-key'), 'utf8')).toBe(key);
      const again = await start();
      expect((await again.all('/api/v3/findings')).map(({ name }) => name)).toEqual(['acknowledged']);
      await expectVerified({ DATA_DIR: dataDir });
    },
    SLOW_MS,
  );
});
