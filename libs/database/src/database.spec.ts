import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { Gate } from '../../../test/support/gate.ts';
import { isConnectionError } from './connection-error.ts';
import { openDatabase } from './database.ts';

/** Part of a client that its types leave out. */
interface Connected {
  connectionParameters: object;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describe('openDatabase', () => {
  it('reads whole numbers, decimals and instants as numbers', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as whole, 12.5::numeric as decimal, 0.25::real as short,
             '2026-02-03T04:05:06.789Z'::timestamptz as instant, null::timestamptz as nothing,
             count(*) as counted from (values (1), (2)) as two`.execute(database.db);
    expect(rows).toEqual([
      {
        whole: Number.MAX_SAFE_INTEGER,
        decimal: 12.5,
        short: 0.25,
        instant: Date.UTC(2026, 1, 3, 4, 5, 6, 789),
        nothing: null,
        counted: 2,
      },
    ]);
  });

  it('rejects to read a whole number that a JS number cannot hold', async () => {
    await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow(RangeError);
  });

  it('prepares a statement that begins with its name, once a connection, and no other', async () => {
    const { db, close } = openDatabase(database.url, { max: 1 });
    for (const n of [1, 2]) {
      const { rows } = await sql`
        /* count_on */ select ${n}::int + 1 as next`.execute(db);
      expect(rows).toEqual([{ next: n + 1 }]);
      await sql`select /* not a name */ ${n}::int`.execute(db);
    }
    const { rows } = await sql`select name, generic_plans + custom_plans as runs
                                 from pg_prepared_statements`.execute(db);
    expect(rows).toEqual([{ name: 'count_on', runs: 2 }]);
    await close();
  });

  it('has its own settings also with a URL that has options, and those of the URL', async () => {
    const given = new URL(database.url);
    given.searchParams.set('options', '-c synchronous_commit=off -c work_mem=7MB');
    const { db, close } = openDatabase(given.href, { sessionSettings: { synchronous_commit: 'on' } });
    const { rows } = await sql`
      select current_setting('synchronous_commit') as commits, current_setting('work_mem') as memory`.execute(
      db,
    );
    expect(rows).toEqual([{ commits: 'on', memory: '7MB' }]);
    await close();
  });

  it('is missed by the server soon after its machine is lost, also with a URL that has options', async () => {
    const given = new URL(database.url);
    given.searchParams.set('options', '-c work_mem=7MB -c tcp_keepalives_count=4');
    const { db, close } = openDatabase(given.href);
    const { rows } = await sql`
      select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
             current_setting('tcp_keepalives_count') as count, current_setting('work_mem') as memory`.execute(
      db,
    );
    expect(rows).toEqual([{ idle: '5', interval: '2', count: '4', memory: '7MB' }]);
    await close();
  });

  it('survives the loss of an idle connection', async () => {
    const lost: Error[] = [];
    const { db, close } = openDatabase(database.url, {
      max: 1,
      onConnectionLost: (error) => lost.push(error),
    });
    const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const { pid } = (await backend.execute(db)).rows[0]!;
    await sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.db);
    while (lost.length === 0) await new Promise(setImmediate);
    expect((await backend.execute(db)).rows[0]!.pid).not.toBe(pid);
    await close();
  });

  it('survives the loss of a connection within a transaction, and fails that transaction', async () => {
    const { db, close } = openDatabase(database.url, { max: 1 });
    const broken = db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(database.db);
      await sql`select 1`.execute(trx);
    });
    expect(isConnectionError(await broken.catch((error: unknown) => error))).toBe(true);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await close();
  });

  it('does not reuse a connection that was abandoned without a response', async () => {
    const gate = await Gate.before(database.url);
    await gate.open();
    const { db, pool, close } = openDatabase(gate.url, { max: 1 });
    let giveUpSoon = () => {};
    pool.once('connect', (client) => {
      giveUpSoon = () => {
        Object.assign((client as unknown as Connected).connectionParameters, { query_timeout: 1_000 });
      };
    });
    const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const { pid } = (await backend.execute(db)).rows[0]!;
    const givenUp = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      gate.mute();
      // Only from here on: a busy machine can take as long for the statements before.
      giveUpSoon();
      await sql`select 2`.execute(trx);
    });
    await expect(givenUp).rejects.toThrow('Query read timeout');
    expect((await backend.execute(db)).rows[0]!.pid).not.toBe(pid);
    await close();
    await gate.shut();
  });

  it('does not reuse a connection whose session only reads', async () => {
    const { db, pool, close } = openDatabase(database.url, { max: 1 });
    await pool.query('set session characteristics as transaction read only');
    const write = () => sql`create table written (n int)`.execute(db);
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    await write();
    await close();
  });

  it('reports an absent database with a connection error', async () => {
    const { db, close } = openDatabase('postgres://nobody:secret@127.0.0.1:1/none');
    const error = await sql`select 1`.execute(db).catch((thrown: unknown) => thrown);
    expect(isConnectionError(error)).toBe(true);
    expect(String(error)).not.toContain('secret');
    await close();
    await close();
  });
});
