import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { migrate } from '#libs/database';
import { Projection } from '#libs/projection';
import { FOLDED_TABLES } from '#libs/tables';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { DAY_MS, signal, T0, upload } from '../support/scenario.ts';

/** From migration 0061 on, projectors write what PostgreSQL derived from the JSON of findings. */

const MIGRATION = '0061_finding_derivations.sql';
const KEY = 'machine:web01';
const COLUMNS = ['text_id', 'updated_ms', 'first_seen_ms', 'derived_version'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** The table as the version before has left it, with its rows. */
const asBefore = () =>
  database.pool.query(`
    drop trigger findings_derivations on findings;
    alter table findings drop column text_id, drop column updated_ms, drop column first_seen_ms,
      drop column derived_version;
    alter table findings
      add column text_id uuid generated always as (md5(finding_text(name, body))::uuid) stored;
    create index findings_text on findings (text_id, state, severity_value, asset_no, finding_no);
    create index findings_updated on findings (((body ->> 'updatedAt')::bigint), asset_no, finding_no);
    create index findings_first_seen on findings (((body ->> 'firstSeen')::bigint), asset_no, finding_no)`);

/** Runs it again, and those after it, whose tables and columns must be missing. */
async function upgrade(): Promise<void> {
  await database.pool.query(`
    drop table notified_findings;
    alter table credentials drop column second_factor_acts;
    alter table idempotency_keys drop column settings_version, drop column subjects_sha256;
    alter table upload_progress drop column sole_assets;
    alter table score_changes drop column places;
    alter table registered_schemas drop column schema;
    alter table users drop column groups_claim, drop column claimed_groups, drop column given_rights;
    alter table sessions drop column rights_digest`);
  await database.pool.query('delete from migrations where name >= $1', [MIGRATION]);
  expect((await migrate(database.pool))[0]).toBe(MIGRATION);
}

async function fold(n: number, names: string[], description = 'of the first scan'): Promise<void> {
  const projection = new Projection(database.db);
  const next = await projection.open(0);
  const signals = names.map((name) => signal(name, 'fail', { description }));
  const records = upload(n, T0 + n * DAY_MS, signals, { entityKey: KEY }).map((event, i) => ({
    partition: 0,
    offset: next + i,
    key: KEY,
    value: encodeIntake(event),
    headers: {},
    storedAt: T0,
  }));
  await projection.project(records);
}

/** The write of a projector of the version before, of the row of `name`, as it is or as a new one. */
const writtenBefore = (name: string, description: string, number = 'finding_no') => {
  const columns = FOLDED_TABLES.find((table) => table.name === 'findings')!.columns.filter(
    (column) => !COLUMNS.includes(column),
  );
  return database.pool.query(
    `insert into findings (${columns.join(', ')})
       select ${columns.join(', ')} from (
         select asset_no, ${number} as finding_no, case when ${number} = finding_no then id else gen_random_uuid() end as id,
                partition, type, name, state, severity_value, cves, techniques, source, assignee, tags, due_ms,
                failed_since_ms, settled_at_ms, version + 1 as version,
                (body::jsonb || jsonb_build_object('description', $2::text, 'updatedAt', 1234, 'firstSeen', 99))::json as body
         from findings where name = $1
       ) as f
     on conflict on constraint findings_pkey do update set version = excluded.version, body = excluded.body`,
    [name, description],
  );
};

/** Rows by their text and times, compared with what their JSON says. */
async function rows() {
  const found = await database.pool.query(`
    select name, finding_no, text_id = md5(finding_text(name, body))::uuid as is_own_text,
           coalesce(updated_ms, (body ->> 'updatedAt')::bigint) = (body ->> 'updatedAt')::bigint
             and coalesce(first_seen_ms, (body ->> 'firstSeen')::bigint) = (body ->> 'firstSeen')::bigint as is_own_time,
           updated_ms is not null and first_seen_ms is not null as has_times, derived_version = version as is_derived
    from findings order by finding_no`);
  return found.rows.map(({ name, is_own_text, is_own_time, has_times, is_derived }) => [
    name,
    is_own_text && is_own_time,
    has_times,
    is_derived,
  ]);
}

const filenode = async (): Promise<number> =>
  (await database.pool.query(`select pg_relation_filenode('findings') as node`)).rows[0].node;

const indexes = async (): Promise<string[]> =>
  (await database.pool.query(`select indexname from pg_indexes where tablename = 'findings'`)).rows.map(
    ({ indexname }) => indexname,
  );

it('keeps the rows of before without rewriting them, and takes the writes of projectors of before', async () => {
  await fold(1, ['a', 'b', 'c']);
  await asBefore();
  const stored = await filenode();
  await upgrade();
  await upgrade();
  expect(await filenode()).toBe(stored);
  expect(await rows()).toEqual([
    ['a', true, false, null],
    ['b', true, false, null],
    ['c', true, false, null],
  ]);
  expect(await indexes()).toEqual(
    expect.arrayContaining(['findings_updated_ms', 'findings_first_seen_ms', 'findings_text']),
  );
  expect(await indexes()).not.toContain('findings_updated');
  expect(await indexes()).not.toContain('findings_first_seen');

  await writtenBefore('a', 'changed before');
  await writtenBefore('a', 'new before', '99');
  await fold(2, ['b', 'd'], 'of the second scan');
  await writtenBefore('d', 'changed by one of before that still runs');
  expect(await rows()).toEqual([
    ['a', true, true, true],
    ['b', true, true, true],
    ['c', true, false, null],
    ['d', true, true, true],
    ['a', true, true, true],
  ]);
});
