import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { projectFile } from '#libs/project-files';
import { KINDS } from '../../apps/gateway/src/notifications/notification.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/** Migration 0060 switches new kinds of notifications on for people who have not switched off everything. */

const MIGRATION = 'migrations/0060_notified_problems.sql';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

it('adds the kinds to those of existing people, and none to people without any', async () => {
  const { pool } = database;
  // As the version before has left it.
  await pool.query(`
    drop table notified_problems;
    drop index report_deliveries_failed;
    alter table notifications drop column subject_id`);
  const chosen = [[...KINDS.slice(0, 6)], ['mentioned'], []];
  const ids = chosen.map(() => randomUUID());
  for (const [i, kinds] of chosen.entries()) {
    await pool.query(
      'insert into notification_people (person_id, kinds, checked_through, next_check_at) values ($1, $2, now(), now())',
      [ids[i], kinds],
    );
  }
  await pool.query(await readFile(projectFile(MIGRATION), 'utf8'));
  const { rows } = await pool.query(
    'select kinds from notification_people order by array_position($1::uuid[], person_id)',
    [ids],
  );
  expect(rows.map(({ kinds }) => kinds)).toEqual([[...KINDS], ['mentioned', ...KINDS.slice(6)], []]);
});
