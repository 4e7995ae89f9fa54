import { expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { testDatabase } from './database.ts';

it('gives each caller a separate migrated database', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  await one.db.insertInto('log_ends').values({ topic: 't', partition: 0 }).execute();
  expect(await one.db.selectFrom('log_ends').selectAll().execute()).toEqual([
    { topic: 't', partition: 0, next_offset: 0 },
  ]);
  expect(await other.db.selectFrom('log_ends').selectAll().execute()).toEqual([]);
  await Promise.all([one.drop(), other.drop()]);
});

it('fails the spec file that leaves a connection open, and drops its database all the same', async () => {
  const database = await testDatabase();
  const leaking = openDatabase(database.url, { max: 1 });
  await leaking.pool.query("select 'the leak'");
  await expect(database.drop()).rejects.toThrow("1 connections were left open: posture: select 'the leak'");
  await leaking.close();
  const gone = openDatabase(database.url, { max: 1 });
  await expect(gone.pool.query('select 1')).rejects.toThrow(/does not exist/);
  await gone.close();
});
