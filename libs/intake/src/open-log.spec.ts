import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeIntake, encodeIntake } from '#libs/contracts';
import { readingAt } from '#libs/domain';
import { type EventLog, PostgresEventLog } from '#libs/event-log';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { event, T0 } from '../../../test/support/scenario.ts';
import { INTAKE_TOPIC } from './intake-topic.ts';
import { LogMismatchError, openLog } from './open-log.ts';

const PARTITIONS = 3;

let databases: TestDatabase[];
let logs: EventLog[];
beforeEach(() => {
  databases = [];
  logs = [];
});
afterEach(async () => {
  await Promise.all(logs.map((log) => log.close()));
  await Promise.all(databases.map((database) => database.drop()));
});

async function site(): Promise<{ database: TestDatabase; log: EventLog }> {
  const database = await testDatabase();
  databases.push(database);
  return { database, log: logIn(database) };
}

function logIn({ url }: TestDatabase, partitions = PARTITIONS): EventLog {
  const log = new PostgresEventLog({ url, partitions });
  logs.push(log);
  return log;
}

async function openings(log: EventLog): Promise<unknown[]> {
  const payloads: unknown[] = [];
  for (const partition of Array.from({ length: PARTITIONS }, (_, i) => i)) {
    for await (const records of log.read(INTAKE_TOPIC, partition, 0, 10)) {
      payloads.push(...records.map(({ value }) => decodeIntake(value).payload));
    }
  }
  return payloads;
}

describe('openLog', () => {
  it('writes the identity of a new log at offset 0 of every partition, once, whoever opens it', async () => {
    const { database, log } = await site();
    const opened = await Promise.all([1, 2, 3].map(() => openLog(database.db, log, () => readingAt(T0))));
    expect(new Set(opened.map(({ logId }) => logId)).size).toBe(1);
    const opening = { type: 'LogOpened', logId: opened[0]!.logId, partitions: PARTITIONS };
    expect(await openings(log)).toEqual([opening, opening, opening]);
  });

  it('goes on where a crash left partitions without it', async () => {
    const { database, log } = await site();
    const { logId } = await openLog(database.db, log, () => readingAt(T0));
    await database.pool.query('delete from log_records where partition = 2');
    await database.pool.query('delete from log_ends where partition = 2');
    expect(await openLog(database.db, log, () => readingAt(T0))).toEqual({ logId });
    expect(await openings(log)).toHaveLength(PARTITIONS);
  });

  it('takes no moment of a new leader for a loss: ends that lag behind what was folded', async () => {
    const { database, log } = await site();
    const { logId } = await openLog(database.db, log, () => readingAt(T0));
    await database.db.insertInto('projection_positions').values({ partition: 1, next_offset: 1 }).execute();
    let calls = 0;
    const late = {
      partitions: PARTITIONS,
      read: log.read.bind(log),
      append: log.append.bind(log),
      ends: async (topic: string) => {
        const ends = await log.ends(topic);
        return calls++ === 1 ? ends.map(() => 0) : ends;
      },
    } as unknown as EventLog;
    expect(await openLog(database.db, late, () => readingAt(T0))).toEqual({ logId });
    expect(calls).toBeGreaterThan(2);
  });

  it.each([
    [
      'another log',
      async () => {
        const [one, other] = [await site(), await site()];
        await openLog(one.database.db, one.log, () => readingAt(T0));
        await openLog(other.database.db, other.log, () => readingAt(T0));
        return { db: one.database.db, log: other.log };
      },
      /^The database was folded from log \S+, but this is log \S+\. Move the right log here .*posture replay/,
    ],
    [
      'a log of something else',
      async () => {
        const [one, other] = [await site(), await site()];
        await openLog(one.database.db, one.log, () => readingAt(T0));
        const stranger = event({ type: 'EntitySwept', deleteIdleSince: null }, T0, { kind: 'system' });
        await other.log.append(INTAKE_TOPIC, [{ key: 'k', value: encodeIntake(stranger), partition: 0 }]);
        return { db: one.database.db, log: other.log };
      },
      /^The log does not begin with its identity/,
    ],
    [
      'another partition count',
      async () => {
        const { database, log } = await site();
        await openLog(database.db, log, () => readingAt(T0));
        return { db: database.db, log: logIn(database, PARTITIONS + 1) };
      },
      /^The log has 3 partitions, LOG_PARTITIONS says 4/,
    ],
    [
      'a log that ends before what was folded',
      async () => {
        const { database, log } = await site();
        await openLog(database.db, log, () => readingAt(T0));
        await database.db
          .insertInto('projection_positions')
          .values({ partition: 1, next_offset: 7 })
          .execute();
        return { db: database.db, log };
      },
      /^The database has folded partition 1 up to offset 7, but the log ends at 1: records were lost\. .*import-log.*replay/,
    ],
  ])('stops the start at %s with a sentence, and writes nothing', async (_, make, sentence) => {
    const { db, log } = await make();
    const before = await log.ends(INTAKE_TOPIC);
    const refused = openLog(db, log, () => readingAt(T0));
    await expect(refused).rejects.toThrow(LogMismatchError);
    await expect(refused).rejects.toThrow(sentence);
    expect(await log.ends(INTAKE_TOPIC)).toEqual(before);
  });
});
