import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { fillPastFindings } from '../../../test/support/past-findings.ts';
import type { ChangeBounds } from './history-range.ts';
import { readChanges } from './read-changes.ts';

const CHANGES = 20;
const BYTES = 320_000;

describe.each([
  ['findings', 'finding_history', 'body'],
  ['assets', 'asset_history', 'state'],
] as const)('a read of changes of %s', (topic, table, column) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await fillPastFindings(database, { assets: CHANGES, findingsEach: 1, changesEach: 1 });
    // A vacuum would read pages too.
    await database.pool.query(`
      alter table ${table} set (toast.autovacuum_enabled = off);
      update ${table} set ${column} = (${column}::jsonb || jsonb_build_object('large',
        (select string_agg(md5(n::text), '') from generate_series(1, ${BYTES / 32}) n)))::json`);
  });
  afterAll(() => database.drop());

  /** How often the read looks at a page of large states, and how many changes it returns. */
  const read = (bounds: ChangeBounds) =>
    database.db.connection().execute(async (db) => {
      const before = await pagesRead(db);
      const changes = await readChanges(db, topic, { partition: 0, after: 0 }, bounds);
      return {
        pages: (await pagesRead(db)) - before,
        sequences: changes.map(({ changed }) => changed.change.sequence),
      };
    });

  async function pagesRead(db: Kysely<Schema>): Promise<number> {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ pages: number }>`
      select (toast_blks_hit + toast_blks_read)::float8 as pages from pg_statio_user_tables
      where relname = ${table}`.execute(db);
    return rows[0]!.pages;
  }

  it('ends at the bound of bytes, and reads no larger part of the history', async () => {
    const one = await read({ changesMax: 1, bytesMax: BYTES });
    expect([one.sequences, one.pages > BYTES / 8192]).toEqual([[1], true]);
    expect(await read({ changesMax: CHANGES, bytesMax: BYTES })).toEqual(one);
    const three = await read({ changesMax: CHANGES, bytesMax: 3.5 * BYTES });
    expect(three.sequences).toEqual([1, 2, 3]);
    expect(three.pages).toBeLessThan(4 * one.pages);
  });
});
