import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import type { StoredRecord } from '#libs/event-log';
import { projectFile } from '#libs/project-files';
import { Projection } from '#libs/projection';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { untilLockWait } from '../support/lock-wait.ts';
import { signal, T0, upload } from '../support/scenario.ts';

/** Migration 0059 gives existing rows a column for the digests of their findings. */

const MIGRATION = 'migrations/0059_finding_digest.sql';
const KEY = 'machine:web01';
const NAMES = ['a', 'b', 'c'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** The tables as the version before has left them, with its rows. */
const asBefore = () =>
  database.pool.query(`
    alter table finding_seen drop column digest;
    alter table projection_positions drop column digested_sequence`);

const upgrade = async () => database.pool.query(await readFile(projectFile(MIGRATION), 'utf8'));

const scanned = (n: number, at: number): StoredRecord[] =>
  upload(
    n,
    at,
    NAMES.map((name) => signal(name)),
    { entityKey: KEY },
  ).map((event, i) => ({
    partition: 0,
    offset: (n - 1) * NAMES.length + i,
    key: KEY,
    value: encodeIntake(event),
    headers: {},
    storedAt: T0,
  }));

async function fold(n: number): Promise<void> {
  const projection = new Projection(database.db);
  await projection.open(0);
  await projection.project(scanned(n, T0 + n));
}

/** What every version has of the findings, their times and changes. */
async function rows(): Promise<unknown[]> {
  const found = await database.pool.query(
    `select f.body, f.version, s.signal_id, s.last_seen, s.seen_at, s.stamp_upload, p.next_offset, p.finding_sequence
       from findings f join finding_seen s using (partition, asset_no, finding_no)
       join projection_positions p using (partition) order by f.asset_no, f.finding_no`,
  );
  return found.rows;
}

const digests = async () =>
  (await database.pool.query('select digest from finding_seen order by finding_no')).rows.map(
    ({ digest }) => digest,
  );

const filenode = async (): Promise<number> =>
  (await database.pool.query(`select pg_relation_filenode('finding_seen') as node`)).rows[0].node;

it('keeps the rows of before without rewriting them; their findings get digests with their next signals', async () => {
  await fold(1);
  const expected = await digests();
  await asBefore();
  const [before, stored] = [await rows(), await filenode()];
  await upgrade();
  expect([await rows(), await filenode()]).toEqual([before, stored]);
  expect(await digests()).toEqual([null, null, null]);

  await fold(2);
  expect(await digests()).toEqual(expected);
  const after = (await rows()) as { version: number; finding_sequence: number }[];
  expect(after.map(({ version, finding_sequence }) => [version, finding_sequence])).toEqual(
    NAMES.map(() => [1, NAMES.length]),
  );
});

/** What a batch of a version without digests writes if the first finding passes in it. */
const OLD_BATCH = `
  begin;
  lock table projection_positions;
  update findings set state = 'Qualified', body = replace(body::text, '"Failed"', '"Qualified"')::json
    where finding_no = 1;
  insert into finding_history
    select (jsonb_populate_record(h, jsonb_build_object('sequence', finding_sequence + 1, 'to_state', 'Qualified'))).*
    from finding_history h join projection_positions using (partition) where sequence = 1;
  update projection_positions
    set next_offset = next_offset + ${NAMES.length}, finding_sequence = finding_sequence + 1;
  commit`;

it('reads a finding again that an earlier version changes while the partition is opened', async () => {
  const [holder, old] = [await database.pool.connect(), await database.pool.connect()];
  try {
    await holder.query('begin; select from projection_positions for update');
    const projection = new Projection(database.db);
    const opened = projection.open(0);
    await untilLockWait('the opening', database, 'for update');
    const written = old.query(OLD_BATCH);
    await untilLockWait('the earlier version', database, 'lock table');
    await holder.query('commit');
    await Promise.all([opened, written]);
    const records = scanned(4, T0 + 4);
    // The first call may only notice the batch.
    for (let next = 0; next <= records.at(-1)!.offset; ) next = await projection.project(records);
  } finally {
    holder.release();
    old.release();
  }
  const { rows: findings } = await database.pool.query('select state from findings order by finding_no');
  expect(findings.map(({ state }) => state)).toEqual(['Failed', 'Failed', 'Failed']);
});
