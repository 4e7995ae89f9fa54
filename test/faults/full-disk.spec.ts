import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openDatabase, runningInstanceUrl } from '#libs/database';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { describeDisks, LoopDisk } from '../support/loop-disk.ts';
import { describeInRun, hasChanged } from '../support/part-of-run.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const DISK_MB = 250;
const RECOVERY_MS_MAX = 120_000;
const SLOW_MS = 400_000;

let disk: LoopDisk;
let service: StartedStandalone;
let client: ApiClient;
const acknowledged: string[] = [];

async function upload(name: string): Promise<number> {
  const description = 'evidence '.repeat(10_000);
  const { status } = await client.signal(plainSignal(name, 'host', { description }));
  if (status === 200) acknowledged.push(name);
  return status;
}

const readiness = async () => (await fetch(`${service.url}/health/ready`)).status;
const untilReady = (status: number) =>
  until(`readiness ${status}`, async () => (await readiness()) === status, RECOVERY_MS_MAX);

async function expectWhole(): Promise<void> {
  await until('the fold', async () => {
    const names = (await client.all('/api/v3/findings')).map(({ name }) => name);
    return acknowledged.every((name) => names.includes(name));
  });
  await expectVerified({ DATA_DIR: disk.path });
}

/** Has PostgreSQL write to its log and commit until it needs a segment that the disk has no room for, and ends. */
async function useUpWriteAheadLog(): Promise<void> {
  const { pool, close } = openDatabase((await runningInstanceUrl(disk.path))!, { max: 1 });
  const attempt = (statement: string) => pool.query(statement).catch(() => undefined);
  try {
    await until(
      'the end of PostgreSQL',
      async () => {
        for (const bytes of [1_000_000, 10_000, 100])
          await attempt(`select pg_logical_emit_message(false, 'test', repeat('x', ${bytes}))`);
        await attempt('select pg_current_xact_id()');
        return /PostgreSQL in .+ exited: /.test(service.log);
      },
      RECOVERY_MS_MAX,
    );
  } finally {
    await close();
  }
}

const WHAT_IT_TESTS = ['libs/database', 'libs/durable-file', 'libs/event-log'];
const ROTATION = { shares: 2, turn: 0, isDue: hasChanged(...WHAT_IT_TESTS), as: describeDisks } as const;

describeInRun(ROTATION, 'a full disk', () => {
  beforeEach(async () => {
    disk = await LoopDisk.make(DISK_MB);
    service = await StartedStandalone.start(disk.path);
    client = await service.client();
    acknowledged.length = 0;
    expect(await upload('before')).toBe(200);
    await untilReady(200);
  });
  afterEach(async () => {
    await service.stop();
    await disk.remove();
  });

  it(
    'makes the service not ready while appends fail, says so once with a reason, and is over when there is room',
    async () => {
      await disk.fill();
      let n = 0;
      await until('a refused upload', async () => (await upload(`full ${n++}`)) === 503, RECOVERY_MS_MAX);
      await untilReady(503);
      expect(service.log).toMatch(/"level":"error".*"event log: appends fail: .*No space left on device/);
      await disk.makeRoom();
      // Nothing is sent: a service that is not ready gets no uploads that could show that it recovered.
      await untilReady(200);
      expect(await upload('after')).toBe(200);
      await expectWhole();
      expect(service.log.match(/event log: appends fail/g)).toHaveLength(1);
    },
    SLOW_MS,
  );

  it(
    'ends PostgreSQL when its write-ahead log needs room: the operator reads why and where, and it starts again',
    async () => {
      await disk.fill();
      await useUpWriteAheadLog();
      expect(service.log).toMatch(/"level":"error".* PANIC: .*No space left on device/);
      expect(service.log).toContain(`Free space on the disk of ${join(disk.path, 'postgres')}`);
      await untilReady(503);
      await disk.makeRoom();
      await untilReady(200);
      expect(await upload('after')).toBe(200);
      await expectWhole();
    },
    SLOW_MS,
  );
});
