import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { FOLDED_TABLES } from './folded-tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it.each(FOLDED_TABLES)(
  'lists every column of $name that is written, and its key',
  async ({ name, ...table }) => {
    const { rows } = await database.pool.query(
      `select array_agg(attname::text) filter (where attgenerated = '') as columns,
            array_agg(attname::text) filter (where attnum = any(conkey)) as key
       from pg_attribute left join pg_constraint on conrelid = attrelid and contype = 'p'
      where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [name],
    );
    const [{ columns, key }] = rows;
    expect([...table.columns].sort()).toEqual(columns.sort());
    expect([...table.key].sort()).toEqual(key.sort());
  },
);
