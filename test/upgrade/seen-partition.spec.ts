import { chmod, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Database,
  type EmbeddedPostgres,
  migrate,
  NPM_PROGRAMS,
  openDatabase,
  startEmbeddedPostgres,
} from '#libs/database';
import { projectFile } from '#libs/project-files';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { untilLockWait } from '../support/lock-wait.ts';

/** Migration 0056 fills the partition of rows that exist, while projectors of the version before write. */

const MIGRATIONS = projectFile('migrations/');
const MIGRATION = '0056_seen_partition.sql';
const ASSETS = 2_000;
const FINDINGS_EACH = 6;

let database: TestDatabase;
/** Without the migration at first. */
let folder: URL;
beforeAll(async () => {
  folder = await migrationsBefore();
  database = await emptyDatabase();
  await fillBefore(database);
  await addMigration();
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const addMigration = () => cp(new URL(MIGRATION, MIGRATIONS), new URL(MIGRATION, folder));

/** With rows as the version before knows them, and asset numbers of twelve partitions. */
async function fillBefore(filled: Pick<Database, 'pool'>): Promise<void> {
  await migrate(filled.pool, folder);
  await filled.pool.query(`
    insert into asset_seen (asset_no, last_seen)
      select ${assetNo('n')}, now() from generate_series(1, ${ASSETS}) n;
    insert into finding_seen (asset_no, finding_no, signal_id, last_seen, expires_at, retain_until, stamp_at, stamp_upload)
      select ${assetNo('n')}, f, 'signal-' || f, now(), now(), now(), now(), gen_random_uuid()
      from generate_series(1, ${ASSETS}) n, generate_series(1, ${FINDINGS_EACH}) f`);
}

const assetNo = (n: string) => `${n}::bigint * 1024 + ${n} % 12`;

async function migrationsBefore(): Promise<URL> {
  const made = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'migrations-'))}/`);
  for (const name of await readdir(MIGRATIONS)) {
    if (name < MIGRATION) await cp(new URL(name, MIGRATIONS), new URL(name, made));
  }
  return made;
}

/** An upsert of the version before, which knows no partition. */
const upsertSeen = (n: number) => `
  insert into finding_seen (asset_no, finding_no, signal_id, last_seen, expires_at, retain_until, stamp_at, stamp_upload)
  values (${assetNo(`${n}`)}, 1, 'again', now(), now(), now(), now(), gen_random_uuid())
  on conflict on constraint finding_seen_pkey do update set signal_id = excluded.signal_id`;

it('fills rows, waits for the rows that a projector has locked, and takes rows without the column', async () => {
  const projector = await database.pool.connect();
  let migrating: Promise<string[]>;
  try {
    await projector.query(`begin; ${upsertSeen(1)}`);
    migrating = migrate(database.pool, folder);
    // The trigger waits for this transaction, in tries of two seconds; then rows of another one are skipped.
    await untilLockWait('the migration waits', database);
    await projector.query('commit; begin');
    await projector.query(`${upsertSeen(2)}; ${upsertSeen(ASSETS + 1)}`);
    await projector.query('commit');
  } finally {
    await projector.query('rollback');
    projector.release();
  }
  expect(await migrating).toEqual([MIGRATION]);
  await database.pool.query(`${upsertSeen(3)}; ${upsertSeen(ASSETS + 2)}`);
  const { rows } = await database.pool.query(`
    select (select count(*)::int from finding_seen) as findings,
           (select count(*)::int from finding_seen where signal_id = 'again') as upserted,
           (select count(*)::int from finding_seen where partition is distinct from asset_no % 1024) as wrong,
           (select count(*)::int from asset_seen where partition is distinct from asset_no % 1024) as wrong_assets`);
  expect(rows[0]).toEqual({
    findings: ASSETS * FINDINGS_EACH + 2,
    upserted: 5,
    wrong: 0,
    wrong_assets: 0,
  });
});

describe('on a server of its own, where no other transaction keeps replaced rows in their pages', () => {
  let home: string;
  let server: EmbeddedPostgres;
  let alone: Database;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'alone-'));
    // PostgreSQL runs as another user if the tests run as root.
    await chmod(home, 0o755);
    server = await startEmbeddedPostgres({
      directory: join(home, 'postgres'),
      log: () => {},
      settings: { autovacuum: 'off', shared_buffers: '32MB' },
      postgresBin: NPM_PROGRAMS,
    });
    alone = openDatabase(server.url, { max: 1 });
    await rm(new URL(MIGRATION, folder));
    await fillBefore(alone);
    await addMigration();
  });
  afterAll(async () => {
    await alone?.close();
    await server?.stop();
    await rm(home, { recursive: true, force: true });
  });

  it('writes new versions of rows into the free part of their pages, so that the table does not grow', async () => {
    const bytes = async () =>
      Number((await alone.pool.query(`select pg_relation_size('finding_seen') as bytes`)).rows[0].bytes);
    const sizeBefore = await bytes();
    expect(await migrate(alone.pool, folder)).toEqual([MIGRATION]);
    // Without the free part it would be twice as large.
    expect(await bytes()).toBe(sizeBefore);
  });
});

it('continues after an interruption', async () => {
  await database.pool.query(`
    alter table finding_seen alter column partition drop not null;
    update finding_seen set partition = null where finding_no = 2;
    delete from migrations where name = '${MIGRATION}'`);
  // The trigger before inserts has not filled these.
  const unfilled = 'select from finding_seen where partition is null';
  expect((await database.pool.query(unfilled)).rowCount).toBe(ASSETS);
  expect(await migrate(database.pool, folder)).toEqual([MIGRATION]);
  expect((await database.pool.query(unfilled)).rowCount).toBe(0);
});

it('requires a partition of every row', async () => {
  await expect(database.pool.query('update asset_seen set partition = null')).rejects.toThrow('not-null');
});
