import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import type pg from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { atOnce } from './at-once.ts';
import { type Database, openDatabase } from './database.ts';

let site: TestDatabase;
/** With one connection. */
let database: Database;
beforeAll(async () => {
  site = await testDatabase();
  database = openDatabase(site.url, { max: 1 });
  await database.pool.query('create table marks (mark int)');
});
afterAll(async () => {
  await database.close();
  await site.drop();
});

const marks = async () => (await database.pool.query('select mark from marks order by mark')).rows;

describe('atOnce', () => {
  it('sends statements before the first answer; they run in order', async () => {
    const order: string[] = [];
    const noted = async (mark: number, statement: Promise<unknown>) => {
      await statement;
      order.push(`answered ${mark}`);
      return mark;
    };
    database.pool.once('acquire', (client) => {
      const { connection } = client as pg.PoolClient & { connection: { sync(): void } };
      const sync = connection.sync.bind(connection);
      jest.spyOn(connection, 'sync').mockImplementation(() => {
        order.push('sent');
        sync();
      });
    });
    const results = await database.db
      .transaction()
      .execute((trx) =>
        atOnce(trx, (one) => [
          noted(1, sql`insert into marks values (${1})`.execute(one)),
          noted(2, sql`update marks set mark = ${2} where mark = 1`.execute(one)),
          noted(3, sql`update marks set mark = ${3} where mark = 2`.execute(one)),
        ]),
      );
    expect(results).toEqual([1, 2, 3]);
    expect(order).toEqual(['sent', 'sent', 'sent', 'answered 1', 'answered 2', 'answered 3']);
    expect(await marks()).toEqual([{ mark: 3 }]);
  });

  it('fails with the statement that failed first, whose transaction leaves nothing', async () => {
    const work = database.db.transaction().execute((trx) =>
      atOnce(trx, (one) => [
        (async () => {
          await sql`insert into marks values (4)`.execute(one);
          await sql`insert into marks values (5)`.execute(one);
        })(),
        sql`select 1 / ${0}::int`.execute(one),
        sql`insert into marks values (6)`.execute(one),
      ]),
    );
    await expect(work).rejects.toThrow('division by zero');
    expect(await marks()).toEqual([{ mark: 3 }]);
  });

  it('leaves a connection on which rows can be copied', async () => {
    const client = await database.pool.connect();
    const copy: CopyToStreamQuery & { callback?(): void } = copyTo('copy marks to stdout');
    expect(await text(client.query(copy))).toBe('3\n');
    // Ends pg's timer.
    copy.callback?.();
    client.release();
  });
});
