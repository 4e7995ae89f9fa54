import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import type { StorageRepository } from './storage.repository.ts';
import { Storage } from './storage.service.ts';

let gateway: StartedGateway | undefined;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-storage-'));
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await rm(folder, { recursive: true });
});

const bytesOf = async ({ database }: StartedGateway): Promise<number> => {
  const { rows } = await database.pool.query('select pg_database_size(current_database()) as bytes');
  return Number(rows[0].bytes);
};

it('returns the size of the database and the free space, measured once a minute at most', async () => {
  const started = await StartedGateway.start({ env: { DATA_DIR: folder } });
  gateway = started;
  const admin = await started.client('admin');
  const before = await bytesOf(started);
  const [first, second] = await Promise.all([admin.get('/api/v3/storage'), admin.get('/api/v3/storage')]);
  expect(first).toEqual({
    measuredAt: expect.stringMatching(/Z$/),
    databaseBytes: expect.any(Number),
    dataDir: { freeBytes: expect.any(Number), sizeBytes: expect.any(Number) },
  });
  expect(first.databaseBytes).toBeGreaterThanOrEqual(before);
  const { blocks, bsize } = await statfs(folder);
  expect(first.dataDir.sizeBytes).toBe(blocks * bsize);
  expect(first.dataDir.freeBytes).toBeLessThan(first.dataDir.sizeBytes);
  expect(second).toEqual(first);
  await started.database.pool.query(
    'create table filled as select repeat(md5(n::text), 100) as text from generate_series(1, 10000) n',
  );
  expect(await bytesOf(started)).toBeGreaterThan(first.databaseBytes);
  expect(await admin.get('/api/v3/storage')).toEqual(first);
});

it('has no disk without a data directory, and measures again after a failure', async () => {
  let failures = 1;
  const databaseBytes = async () => {
    if (failures-- > 0) throw new Error('the database is away');
    return 5;
  };
  const repository = { databaseBytes } as StorageRepository;
  const storage = new Storage(repository, { dataDir: '/no/such/folder' } as Config, () => 0);
  await expect(storage.read()).rejects.toThrow('away');
  const found = await storage.read();
  expect(found).toEqual({ measuredAt: '1970-01-01T00:00:00.000Z', databaseBytes: 5, dataDir: null });
});
