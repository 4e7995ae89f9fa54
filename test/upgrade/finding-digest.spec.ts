import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import type { StoredRecord } from '#libs/event-log';
import { projectFile } from '#libs/project-files';
import { Projection } from '#libs/projection';
import { type TestDatabase, testDatabase } from '../support/database.ts';
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
