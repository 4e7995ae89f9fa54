import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { projectFile } from '#libs/project-files';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

it('makes the statistics of findings again that a replay of an earlier version dropped', async () => {
  const { pool } = database;
  const statistics = async () =>
    (await pool.query('select pg_get_statisticsobjdef(oid) as definition from pg_statistic_ext')).rows;
  const defined = await statistics();
  expect(defined).toHaveLength(1);
  await pool.query('drop statistics findings_severity_rank');
  const sql = await readFile(projectFile('migrations/0070_findings_statistics.sql'), 'utf8');
  for (let run = 1; run <= 2; run += 1) {
    await pool.query(sql);
    expect(await statistics()).toEqual(defined);
  }
});
