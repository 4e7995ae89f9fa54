import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { describeEventLog, type EventLogFixture } from '../../../../test/contracts/event-log.ts';
import { RecordingHandler } from '../../../../test/fixtures/event-log/recording-handler.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { Gate } from '../../../../test/support/gate.ts';
import { untilLockWait } from '../../../../test/support/lock-wait.ts';
import { until } from '../../../../test/support/until.ts';
import { type ConsumeOptions, type Consumer, LogUnavailableError } from '../event-log.ts';
import { PostgresEventLog } from './postgres-event-log.ts';

async function postgresFixture(): Promise<EventLogFixture> {
  const { url, drop } = await testDatabase();
  const logs: PostgresEventLog[] = [];
  return {
    log: async ({ partitions = 4 } = {}) => {
      const log = new PostgresEventLog({ url, partitions });
      logs.push(log);
      return log;
    },
    close: async () => {
      await Promise.all(logs.map((log) => log.close()));
      await drop();
    },
  };
}

describeEventLog('Postgres', postgresFixture);

describe('PostgresEventLog', () => {
  const topic = 'posture.test';
  let database: TestDatabase;
  let log: PostgresEventLog;
  const troubles: string[] = [];
  const consumers: Consumer[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    log = new PostgresEventLog({
      url: database.url,
      partitions: 4,
      onTrouble: ({ message }) => troubles.push(message),
    });
  });
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  });
  afterAll(async () => {
    await log.close();
    await database.drop();
  });

  const count = async (text: string) => (await database.pool.query(text)).rows[0].count as number;
  const record = (value: string, partition = 0) => ({ key: 'k', value: Buffer.from(value), partition });

  async function follow(
    group: string,
    handler: RecordingHandler,
    options?: ConsumeOptions,
  ): Promise<Consumer> {
    const consumer = await log.consume(topic, group, handler, options);
    consumers.push(consumer);
    return consumer;
  }

  const cutConnections = (connection: Pick<pg.ClientBase, 'query'>) =>
    connection.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );

  /** Cuts every connection of the log while an append is within its transaction. */
  async function cutWithinAppend(): Promise<void> {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('lock table log_ends in exclusive mode');
    await untilLockWait('an append that waits', database);
    await cutConnections(client);
    await client.query('commit');
    client.release();
  }

  it('waits longer and longer before it joins again while the server is away', async () => {
    const gate = await Gate.before(database.url);
    await gate.open();
    let failures = 0;
    const behindGate = new PostgresEventLog({
      url: gate.url,
      partitions: 4,
      onTrouble: ({ message }) => {
        if (message.includes('could not be joined')) failures++;
      },
    });
    await behindGate.consume(topic, 'away', new RecordingHandler());
    const begun = performance.now();
    await gate.shut();
    await until('five attempts', () => failures >= 5);
    // 100 ms twice, then twice as long each time.
    expect(performance.now() - begun).toBeGreaterThan(1_500);
    await behindGate.close();
  });

  it('continues soon after the machine of the server is gone without a word, and another one has its address', async () => {
    const gate = await Gate.before(database.url);
    await gate.open();
    const behindGate = new PostgresEventLog({ url: gate.url, partitions: 4 });
    const handler = new RecordingHandler();
    await behindGate.consume(topic, 'silent', handler);
    await behindGate.append(topic, [record('before silence')]);
    await until('a record', () => handler.texts().includes('before silence'));
    const begun = performance.now();
    gate.mute();
    await expect(behindGate.append(topic, [record('unknown')])).rejects.toThrow(LogUnavailableError);
    await behindGate.append(topic, [record('after silence')]);
    await until('the next record', () => handler.texts().includes('after silence'));
    // The server would end a statement then.
    expect(performance.now() - begun).toBeLessThan(60_000);
    await behindGate.close();
    await gate.shut();
  });

  it('loses no acknowledged record, and consumption resumes, when connections are cut again and again', async () => {
    const handler = new RecordingHandler();
    const failures: Error[] = [];
    await follow('cut', handler, {
      batchRecordsMax: 10,
      onPartitionFailed: (_partition, error) => failures.push(error),
    });
    const acknowledged: string[] = [];
    let refused = 0;
    let isCutting = true;
    const writing = async (writer: number) => {
      for (let i = 0; isCutting; i++) {
        const name = `${writer}:${i}`;
        try {
          await log.append(topic, [record(name, i % 4)]);
          acknowledged.push(name);
        } catch (error) {
          expect(error).toBeInstanceOf(LogUnavailableError);
          refused++;
        }
      }
    };
    const cutting = async () => {
      for (let cuts = 0; cuts < 6; cuts++) {
        const { length } = acknowledged;
        await until('appends between two cuts', () => acknowledged.length > length + 20);
        await (cuts % 2 === 0 ? cutWithinAppend() : cutConnections(database.pool));
      }
      isCutting = false;
    };
    await Promise.all([writing(1), writing(2), cutting()]);
    await log.append(topic, [record('last')]);
    const seen = () => new Set(handler.texts());
    await until('all that was acknowledged', () =>
      [...acknowledged, 'last'].every((name) => seen().has(name)),
    );
    expect(refused).toBeGreaterThanOrEqual(3);
    expect(failures).toEqual([]);
    expect(handler.violations).toEqual([]);
    expect(troubles.some((message) => message.startsWith(`group cut of ${topic} left`))).toBe(true);
    // Positions were kept over the cuts, so nothing came twice either.
    expect(handler.records).toHaveLength(seen().size);
  });

  it('holds one lock a partition and one as a member, and none after stop', async () => {
    const locks = () =>
      count(`select count(*) from pg_locks l join pg_database d on d.oid = l.database
              where l.locktype = 'advisory' and d.datname = current_database()`);
    const consumer = await follow('locks', new RecordingHandler());
    await until('the assignment', () => consumer.assignment.length === 4);
    expect(await locks()).toBe(5);
    await consumer.stop();
    expect(await locks()).toBe(0);
  });

  it('fails only the call with a record that PostgreSQL rejects, not concurrent ones', async () => {
    const before = (await log.ends(topic))[3]!;
    const settled = await Promise.allSettled([
      log.append(topic, [record('first', 3)]),
      log.append(topic, [record('before', 3)]),
      log.append(topic, [{ ...record('bad', 3), key: 'nul \u0000 in the key' }]),
      log.append(topic, [record('after', 3)]),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((settled[2] as PromiseRejectedResult).reason).not.toBeInstanceOf(LogUnavailableError);
    expect((await log.ends(topic))[3]).toBe(before + 3);
  });

  it('gathers calls that wait into few transactions', async () => {
    const transactions = async () =>
      count(`select count(distinct stored_at) from log_records where topic = 'posture.gathered'`);
    await Promise.all(
      Array.from({ length: 500 }, (_, i) => log.append('posture.gathered', [record(`${i}`)])),
    );
    expect(await transactions()).toBeLessThan(10);
  });

  it('is unavailable while PostgreSQL permits reading only, such as a standby or a server whose disk is almost full', async () => {
    const readOnly = new URL(database.url);
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const standby = new PostgresEventLog({ url: readOnly.href, partitions: 4 });
    await expect(standby.append(topic, [record('a')])).rejects.toThrow(LogUnavailableError);
    await expect(standby.assertAppendable()).rejects.toThrow();
    await standby.close();
  });

  it('reports that it cannot append to, read from or follow an absent database', async () => {
    const absent = new PostgresEventLog({ url: 'postgres://nobody:secret@127.0.0.1:1/none', partitions: 4 });
    const refused = expect.objectContaining({
      name: 'LogUnavailableError',
      message: expect.not.stringContaining('secret'),
    });
    await expect(absent.append(topic, [record('a')])).rejects.toEqual(refused);
    await expect(absent.ends(topic)).rejects.toEqual(refused);
    await expect(absent.consume(topic, 'group', new RecordingHandler())).rejects.toEqual(refused);
    await expect(absent.publisher(topic, 0, 'outbox')).rejects.toEqual(refused);
    await expect(absent.read(topic, 0, 0, 1)[Symbol.asyncIterator]().next()).rejects.toEqual(refused);
    await absent.close();
  });
});
