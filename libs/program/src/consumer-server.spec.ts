import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { type Database, openDatabase } from '#libs/database';
import { batchPattern, PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { until } from '../../../test/support/until.ts';
import { consumerServer } from './consumer-server.ts';

const TOPIC = 'posture.consumed';

describe('consumerServer', () => {
  let database: TestDatabase;
  let hurried: Database;
  let log: PostgresEventLog;
  beforeAll(async () => {
    database = await testDatabase();
    const url = new URL(database.url);
    url.searchParams.set('statement_timeout', '100');
    hurried = openDatabase(url.href);
    log = new PostgresEventLog({ url: database.url, partitions: 1 });
  });
  afterAll(async () => {
    await log.close();
    await hurried.close();
    await database.drop();
  });

  it('retries a partition whose batch waited too long for a lock', async () => {
    const locking = await database.pool.connect();
    await locking.query('begin; lock table findings in access exclusive mode');
    let tries = 0;
    const folded: string[] = [];
    const server = consumerServer(
      { log, logger: pino({ level: 'silent' }) },
      { name: 'test', topics: [TOPIC], outputs: [] },
    );
    server.addHandler(batchPattern('assigned', TOPIC), async () => 0);
    server.addHandler(batchPattern('batch', TOPIC), async (records: StoredRecord[]) => {
      tries += 1;
      await hurried.pool.query('select count(*) from findings');
      folded.push(...records.map(({ value }) => value.toString()));
      return records.at(-1)!.offset + 1;
    });
    await new Promise<void>((resolve, reject) => {
      server.listen((error) => (error ? reject(error) : resolve()));
    });
    await log.append(TOPIC, [{ key: 'k', value: Buffer.from('late'), partition: 0 }]);
    await until('a second try', () => tries > 1 || server.stopped.some(([, { length }]) => length > 0));
    expect(server.stopped).toEqual([[TOPIC, []]]);
    locking.release(true);
    await until('the record', () => folded.includes('late'));
    await server.close();
  });
});
