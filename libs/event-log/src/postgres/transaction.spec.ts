import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { inTransaction } from './transaction.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  await database.pool.query('create table numbers (n integer)');
});
afterEach(() => database.drop());

const rows = async () => (await database.pool.query('select n from numbers')).rows;
const add = (n: number) =>
  inTransaction(database.pool, async (client) => {
    await client.query('insert into numbers values ($1)', [n]);
    if (n < 0) throw new Error(`${n} is negative`);
    return n;
  });

describe('inTransaction', () => {
  it('commits, answers what the work does, and returns the connection', async () => {
    expect(await add(7)).toBe(7);
    expect(await rows()).toEqual([{ n: 7 }]);
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  it('rolls back work that fails, says why, and uses the connection again', async () => {
    const connections = database.pool.totalCount;
    await expect(add(-1)).rejects.toThrow('-1 is negative');
    expect(await rows()).toEqual([]);
    expect(database.pool.totalCount).toBe(connections);
    expect(await add(2)).toBe(2);
  });

  it('does not use a connection again that broke', async () => {
    const connections = database.pool.totalCount;
    await expect(
      inTransaction(database.pool, (client) => client.query('select pg_terminate_backend(pg_backend_pid())')),
    ).rejects.toThrow();
    expect(database.pool.totalCount).toBe(connections - 1);
    expect(await add(3)).toBe(3);
  });

  it('does not use a connection again whose session only reads', async () => {
    const connections = database.pool.totalCount;
    const readOnly = inTransaction(database.pool, async (client) => {
      await client.query('set session characteristics as transaction read only; set transaction read only');
      await client.query('insert into numbers values (4)');
    });
    await expect(readOnly).rejects.toMatchObject({ code: '25006' });
    expect(database.pool.totalCount).toBe(connections - 1);
    expect(await add(4)).toBe(4);
  });

  it('sends no rollback behind a statement without an answer', async () => {
    const sent: string[] = [];
    const query = async (text: string) => void sent.push(text);
    const release = (isBroken: boolean) => void sent.push(`release(${isBroken})`);
    const pool = { connect: async () => ({ query, release }) } as unknown as pg.Pool;
    const silent = inTransaction(pool, () => Promise.reject(new Error('Query read timeout')));
    await expect(silent).rejects.toThrow('Query read timeout');
    expect(sent).toEqual(['begin', 'release(true)']);
  });
});
