import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeIntake, encodeIntake, partitionOf } from '#libs/contracts';
import { type LogOpened, ORGANIZATION_KEY, readingAt, type ScoringModel } from '#libs/domain';
import { type EventLog, PostgresEventLog } from '#libs/event-log';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { event, T0 } from '../../../test/support/scenario.ts';
import { INTAKE_TOPIC } from './intake-topic.ts';
import { LogMismatchError } from './log-mismatch-error.ts';
import { openLog } from './open-log.ts';

const PARTITIONS = 3;
const ORGANIZATIONS = partitionOf(ORGANIZATION_KEY, PARTITIONS);

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

const openingOf = (partition: number, logId: string, model: ScoringModel | null): LogOpened => ({
  type: 'LogOpened',
  logId,
  partitions: PARTITIONS,
  scoringModel: partition === ORGANIZATIONS ? model : null,
  sealedFrom: null,
  repartitionedFrom: null,
});

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
  it('writes the identity of a new log at offset 0 of every partition, once, whichever program opens it', async () => {
    const { database, log } = await site();
    const opened = await Promise.all([1, 2, 3].map(() => openLog(database.db, log, () => readingAt(T0))));
    expect(new Set(opened.map(({ logId }) => logId)).size).toBe(1);
    expect(await openings(log)).toEqual(
      [0, 1, 2].map((partition) => openingOf(partition, opened[0]!.logId, 'posture-2')),
    );
  });

  it('states the model of a new log in the partition and with the key of the organization', async () => {
    const { database, log } = await site();
    await openLog(database.db, log, () => readingAt(T0));
    for await (const [record] of log.read(INTAKE_TOPIC, ORGANIZATIONS, 0, 1)) {
      expect(record!.key).toBe(ORGANIZATION_KEY);
      expect(decodeIntake(record!.value).envelope.entityKey).toBe(ORGANIZATION_KEY);
    }
  });

  it('leaves a log of an earlier version without a model', async () => {
    const { database, log } = await site();
    const logId = '7d3c1c5e-2f0a-4b61-8a57-0d9b8a3f6c21';
    const earlier = [0, 1, 2].map((partition) => openingOf(partition, logId, null));
    for (const [partition, payload] of earlier.entries()) {
      const value = encodeIntake(event(payload, T0, { kind: 'system', user: null }));
      await log.append(INTAKE_TOPIC, [{ key: `log:${partition}`, value, partition }]);
    }
    expect(await openLog(database.db, log, () => readingAt(T0))).toEqual({ logId });
    expect(await openings(log)).toEqual(earlier);
  });

  it('resumes after a crash that left partitions without it', async () => {
    const { database, log } = await site();
    const { logId } = await openLog(database.db, log, () => readingAt(T0));
    const before = await openings(log);
    await database.pool.query(`delete from log_records where partition = ${ORGANIZATIONS}`);
    await database.pool.query(`delete from log_ends where partition = ${ORGANIZATIONS}`);
    expect(await openLog(database.db, log, () => readingAt(T0))).toEqual({ logId });
    expect(await openings(log)).toEqual(before);
  });

  it('does not mistake a leader change for a loss: ends that lag behind the fold', async () => {
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
      /^The database was folded from log \S+, but this is log \S+\. Set DATABASE_URL and KAFKA_BROKERS .*posture import-log`\.$/,
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
      /^The log has 3 partitions, but LOG_PARTITIONS is 4/,
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
      /^The database has folded partition 1 up to offset 7, but the log ends at 1: .* KAFKA_BROKERS .*import-log.*replay --records-lost/,
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
