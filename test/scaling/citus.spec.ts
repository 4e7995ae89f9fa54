import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#libs/database';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { CitusCluster, createOnCitus, divide, whyNoCitus } from '../support/citus-cluster.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { everyRead } from '../support/every-read.ts';
import { isLongRun } from '../support/long-run.ts';
import type { StandaloneHere } from '../support/standalone-here.ts';
import { temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';
import { demoInstants, differing, limitedClient, startDemo, startScored } from './demo-site.ts';

/** A few thousand reads, each on 8 shards. */
const READS_MS_MAX = 3_600_000;
const STEP_MS_MAX = 600_000;

/**
 * The same log on one PostgreSQL and on a coordinator with two workers of Citus. The tests are in the order of the life
 * of a site.
 */
function citusSpecs(): void {
  let plainDatabase: TestDatabase;
  let plain: StandaloneHere;
  let cluster: CitusCluster;
  let url: string;
  let onCitus: Database;
  let site: StandaloneHere | undefined;
  let folder: string;

  const env = () => ({ DATABASE_URL: url, DATA_DIR: site!.dataDir });

  /** Receipts and syncs are not in the log: an upload without its receipt is unknown. */
  async function copyRowsBesideLog(): Promise<void> {
    for (const table of ['upload_receipts', 'syncs']) {
      const { rows } = await plainDatabase.pool.query(`select json_agg(r)::text as all from ${table} r`);
      await onCitus.pool.query(
        `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
        [rows[0].all],
      );
    }
  }

  beforeAll(async () => {
    folder = await temporaryDataDir();
    cluster = await CitusCluster.start();
    plainDatabase = await testDatabase();
    plain = await startDemo(plainDatabase.url);
    const file = join(folder, 'site.posture-log');
    await posture(plain.env, 'export-log', file);
    url = await createOnCitus(cluster.urls, 'site');
    await posture({ DATABASE_URL: url, DATA_DIR: folder }, 'import-log', file);
    await divide(url);
    onCitus = openDatabase(url, { max: 2 });
    await copyRowsBesideLog();
    site = await startScored(url);
  }, STEP_MS_MAX);
  afterAll(async () => {
    await site?.stopAndRemove();
    await plain?.stopAndRemove();
    await plainDatabase?.drop();
    await onCitus?.close();
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }, STEP_MS_MAX);

  /** What is answered otherwise than on one PostgreSQL. */
  async function otherwise(
    pick: (read: string, place: number) => boolean,
    callerOf = async (admin: ApiClient) => admin,
  ): Promise<object[]> {
    const [expected, actual] = [await plain.client(), await site!.client()];
    const reads = (await everyRead(expected, demoInstants())).filter(pick);
    expect(reads.length).toBeGreaterThan(50);
    return differing(await callerOf(expected), await callerOf(actual), reads);
  }

  const some = (_read: string, place: number): boolean => place % 11 === 0;

  async function dividedTables(): Promise<number> {
    const { rows } = await onCitus.pool.query(
      `select count(*)::int as count from pg_dist_partition
        where logicalrelid::text in ('assets', 'findings', 'finding_seen', 'finding_history', 'organization')`,
    );
    return rows[0].count;
  }

  it(
    'all reads answer as on one PostgreSQL',
    async () => expect(await otherwise(() => true)).toEqual([]),
    READS_MS_MAX,
  );

  it(
    'a caller who only sees one department is answered as on one PostgreSQL',
    async () => expect(await otherwise((_, place) => place % 2 === 0, limitedClient)).toEqual([]),
    READS_MS_MAX,
  );

  it('counts read the totals', async () => {
    const { rows } = await onCitus.pool.query(
      `select count(*)::int as counted from totals_progress
        where findings_table = $1::oid and counted_assets is null`,
      [(await onCitus.pool.query(`select 'findings'::regclass::oid as oid`)).rows[0].oid],
    );
    const { rows: positions } = await onCitus.pool.query(
      'select count(*)::int as all from projection_positions',
    );
    expect(rows[0].counted).toBe(positions[0].all);
  });

  it(
    'uploads and acts are folded, and the tables equal the log',
    async () => {
      const client = await site!.client();
      const entries = Array.from({ length: 40 }, (_, i) => [
        `${i}.json`,
        plainSignal(`on citus ${i}`, `host${i % 7}`),
      ]);
      const { status, body } = await client.zip(await zipOf(Object.fromEntries(entries)));
      expect(status).toBe(200);
      expect(await client.folded(body.uploadId)).toMatchObject({ outcome: { created: 40 } });
      await expectVerified(env());
    },
    STEP_MS_MAX,
  );

  it(
    'while a worker is away, uploads are taken; with it, they are folded, each signal once',
    async () => {
      const client = await site!.client();
      const entries = Array.from({ length: 60 }, (_, i) => [
        `${i}.json`,
        plainSignal(`worker away ${i}`, `host${i}`),
      ]);
      await cluster.crashWorker();
      const { status, body } = await client.zip(await zipOf(Object.fromEntries(entries)));
      expect(status).toBe(200);
      await until('a read that needs the worker fails', async () => {
        const read = await client.request('GET', '/api/v3/findings?limit=500');
        return read.status === 503;
      });
      await cluster.startWorker();
      expect(await client.folded(body.uploadId)).toMatchObject({ outcome: { created: 60 } });
      await expectVerified(env());
    },
    STEP_MS_MAX,
  );

  it(
    'a replay replaces the divided tables by divided ones, while the site is in use',
    async () => {
      const before = await dividedTables();
      expect(await posture(env(), 'replay')).toMatch(/^Replayed: \d+ assets and \d+ findings/);
      expect([before, await dividedTables()]).toEqual([5, 5]);
      await expectVerified(env());
    },
    STEP_MS_MAX,
  );

  it(
    'a replay from a checkpoint does so too',
    async () => {
      const file = join(folder, 'site.posture-checkpoint');
      await posture(env(), 'checkpoint', file);
      expect(await posture(env(), 'replay', '--from', file)).toMatch(/^Replayed: /);
      expect(await dividedTables()).toBe(5);
      await expectVerified(env());
    },
    STEP_MS_MAX,
  );

  it(
    'a backup is restored into a new cluster, which is divided then',
    async () => {
      const backup = join(folder, 'backup');
      expect(await posture(env(), 'backup', backup)).toMatch(/^Backed up/);
      const expected = await (await site!.client()).get('/api/v3/findings/counts');
      const dataDir = site!.dataDir;
      const restored = await createOnCitus(cluster.urls, 'restored');
      const target = await temporaryDataDir();
      try {
        await posture({ DATABASE_URL: restored, DATA_DIR: dataDir }, 'restore', backup);
        await divide(restored);
        const again = await startScored(restored);
        try {
          expect(await (await again.client()).get('/api/v3/findings/counts')).toEqual(expected);
          await expectVerified({ DATABASE_URL: restored, DATA_DIR: again.dataDir });
        } finally {
          await again.stopAndRemove();
        }
      } finally {
        await rm(target, { recursive: true, force: true });
      }
    },
    STEP_MS_MAX,
  );

  it(
    'after all of it, reads answer as before',
    async () => {
      const isOfOldData = (read: string, place: number) => some(read, place) && read.includes('asOf=');
      expect(await otherwise(isOfOldData)).toEqual([]);
    },
    STEP_MS_MAX,
  );
}

const whyNot = isLongRun ? whyNoCitus() : 'npm run test:long and npm run test:citus have it';
if (whyNot === undefined) describe('on Citus', citusSpecs);
else describe.skip(`on Citus (skipped: ${whyNot})`, citusSpecs);
