import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { DEFAULT_PARTITIONS, StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { describeSystemPostgres } from '../support/system-postgres.ts';
import { expectVerified, startedPosture } from '../support/verify.ts';

/** The database's port is free. */
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
    const generated = { ...DEFAULT_PARTITIONS, POSTURE_ADMIN_USERNAME: '', POSTURE_ADMIN_PASSWORD: '' };
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
    expect(second.log.match(/PostgreSQL 18\.\S+ is running from \S+native\/bin \(npm\)/g)).toHaveLength(1);
    const again = await ApiClient.signIn(second.url, { username: username!, password: password! });
    const [finding] = await again.all('/api/v3/findings');
    expect(finding).toMatchObject({ name: 'kept', state: 'Failed', version: 1 });
    expect(await again.get(`/api/v3/uploads/${body.uploadId}`)).toMatchObject({ done: true, accepted: 1 });
    await expectVerified({ DATA_DIR: dataDir });
    expect(await second.stop()).toBe(0);
  }, 120_000);

  it('takes over after a kill -9 that left PostgreSQL running', async () => {
    const killed = await StartedStandalone.start(dataDir, DEFAULT_PARTITIONS);
    await killed.kill();
    expect(await isPostgresGone(dataDir)).toBe(false);
    const next = await StartedStandalone.start(dataDir, DEFAULT_PARTITIONS);
    await expectVerified({ DATA_DIR: dataDir });
    expect(await next.stop()).toBe(0);
    expect(await isPostgresGone(dataDir)).toBe(true);
  }, 120_000);

  it('stops its parts if its port is in use, and reports this', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const there = { ...DEFAULT_PARTITIONS, PORT: String(port) };
    await expect(StartedStandalone.start(dataDir, there)).rejects.toThrow(/EADDRINUSE/);
    expect(await isPostgresGone(dataDir)).toBe(true);
    taken.close();
  }, 60_000);

  it('rejects a bad setting with a sentence, and ends with 1', async () => {
    await expect(StartedStandalone.start(dataDir, { LOG_PARTITIONS: 'many' })).rejects.toThrow(
      /ended with 1:\nLOG_PARTITIONS must be an integer/,
    );
    await expect(StartedStandalone.start(dataDir, { LOG_PARTITIONS: '7' })).rejects.toThrow(
      /The log has 12 partitions, but LOG_PARTITIONS is 7/,
    );
    await expect(StartedStandalone.start(dataDir, { POSTGRES_BIN: '/nowhere' })).rejects.toThrow(
      /POSTGRES_BIN must be the folder of the initdb and postgres of PostgreSQL 18/,
    );
    expect(await isPostgresGone(dataDir)).toBe(true);
  }, 60_000);
});

describeSystemPostgres('npm start on a PostgreSQL of the system', () => {
  it('needs no setting, folds and verifies on it, and commands use the same', async () => {
    const unset = { ...DEFAULT_PARTITIONS, POSTGRES_BIN: '' };
    const service = await StartedStandalone.start(undefined, unset);
    expect(service.log).toMatch(/PostgreSQL \d+\.\S+ is running from \/\S+ \(the system\)/);
    const client = await service.client();
    const { body } = await client.signal(plainSignal('kept', 'web01'));
    await client.folded(body.uploadId);
    expect(await client.all('/api/v3/findings')).toMatchObject([{ name: 'kept', state: 'Failed' }]);
    await expectVerified({ DATA_DIR: service.dataDir });
    expect(await service.stop()).toBe(0);
    // It starts the database for itself.
    const backup = join(service.dataDir, 'backup');
    expect(await startedPosture({ DATA_DIR: service.dataDir, ...unset }, 'backup', backup)).toContain(backup);
    await rm(service.dataDir, { recursive: true, force: true });
  }, 120_000);
});
