import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { expectVerified } from '../support/verify.ts';

/** Nobody holds the database's port any more. */
const isPostgresGone = async (dataDir: string) =>
  stat(join(dataDir, 'postgres', 'postmaster.pid')).then(
    () => false,
    () => true,
  );

describe('npm start', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('prints the first admin’s credentials once, keeps everything, and stops PostgreSQL with itself', async () => {
    const generated = { POSTURE_ADMIN_USERNAME: '', POSTURE_ADMIN_PASSWORD: '' };
    const first = await StartedStandalone.start(dataDir, generated);
    const [, username, password] = /username {2}(\S+)\s+password {2}(\S+)/.exec(first.log)!;
    const file = join(dataDir, 'initial-credentials');
    expect(await readFile(file, 'utf8')).toContain(password!);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const client = await ApiClient.signIn(first.url, { username: username!, password: password! });
    const { body } = await client.signal(plainSignal('kept', 'web01'));
    await client.folded(body.uploadId);
    expect(await first.stop()).toBe(0);
    expect(await isPostgresGone(dataDir)).toBe(true);

    const second = await StartedStandalone.start(dataDir, generated);
    expect(second.log).not.toContain(password!);
    const again = await ApiClient.signIn(second.url, { username: username!, password: password! });
    const [finding] = await again.all('/api/v3/findings');
    expect(finding).toMatchObject({ name: 'kept', state: 'Failed', version: 1 });
    expect(await again.get(`/api/v3/uploads/${body.uploadId}`)).toMatchObject({ done: true, accepted: 1 });
    await expectVerified({ DATA_DIR: dataDir });
    expect(await second.stop()).toBe(0);
  }, 120_000);

  it('takes over after a kill -9 that left PostgreSQL running', async () => {
    const killed = await StartedStandalone.start(dataDir);
    await killed.kill();
    expect(await isPostgresGone(dataDir)).toBe(false);
    const next = await StartedStandalone.start(dataDir);
    await expectVerified({ DATA_DIR: dataDir });
    expect(await next.stop()).toBe(0);
    expect(await isPostgresGone(dataDir)).toBe(true);
  }, 120_000);

  it('stops what it has started where its port is taken, and says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    await expect(StartedStandalone.start(dataDir, { PORT: String(port) })).rejects.toThrow(/EADDRINUSE/);
    expect(await isPostgresGone(dataDir)).toBe(true);
    taken.close();
  }, 60_000);

  it('refuses a bad setting with a sentence, and ends with 1', async () => {
    await expect(StartedStandalone.start(dataDir, { LOG_PARTITIONS: 'many' })).rejects.toThrow(
      /ended with 1:\nLOG_PARTITIONS must be a whole number/,
    );
    await expect(StartedStandalone.start(dataDir, { LOG_PARTITIONS: '7' })).rejects.toThrow(
      /The log has 12 partitions, LOG_PARTITIONS says 7/,
    );
    expect(await isPostgresGone(dataDir)).toBe(true);
  }, 60_000);
});
