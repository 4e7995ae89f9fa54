import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { type EventLog, PostgresEventLog } from '#libs/event-log';
import { Projection } from '#libs/projection';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { signal, T0, upload } from '../../../test/support/scenario.ts';
import { assertFoldedFrom } from './assert-folded-from.ts';
import { INTAKE_TOPIC } from './intake-topic.ts';
import { LogMismatchError } from './log-mismatch-error.ts';

const PARTITIONS = 8;

describe('the log of a partition', () => {
  let database: TestDatabase;
  let log: EventLog;
  let partition = -1;
  let uploads = 0;
  beforeAll(async () => {
    database = await testDatabase();
    log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  });
  afterAll(async () => {
    await log.close();
    await database.drop();
  });
  beforeEach(() => {
    partition += 1;
  });

  async function append(names: string[]): Promise<void> {
    const events = upload(
      ++uploads,
      T0,
      names.map((name) => signal(name)),
      {
        entityKey: `machine:web${partition}`,
      },
    );
    const records = events.map((event) => ({
      key: event.envelope.entityKey,
      value: encodeIntake({ ...event, envelope: { ...event.envelope, id: randomUUID() } }),
      partition,
    }));
    await log.append(INTAKE_TOPIC, records);
  }

  async function fold(): Promise<number> {
    const projection = new Projection(database.db);
    let next = await projection.open(partition);
    for await (const records of log.read(INTAKE_TOPIC, partition, next, Number.MAX_SAFE_INTEGER)) {
      next = await projection.project(records);
    }
    return next;
  }

  /** As a power loss of a broker does. */
  async function cut(end: number): Promise<void> {
    const where = 'where topic = $1 and partition = $2';
    const values = [INTAKE_TOPIC, partition, end];
    await database.pool.query(`delete from log_records ${where} and "offset" >= $3`, values);
    await database.pool.query(`update log_ends set next_offset = $3 ${where}`, values);
  }

  const assert = (offset: number) => assertFoldedFrom(database.db, log, { partition, offset });

  it('continues where nothing was folded, and where everything folded is there', async () => {
    await assert(0);
    await append(['a', 'b']);
    const offset = await fold();
    await assert(offset);
    await append(['c']);
    await assert(offset);
  });

  it('stops if it ends before the position', async () => {
    await append(['a', 'b', 'c']);
    const offset = await fold();
    await cut(1);
    const failure = assert(offset);
    await expect(failure).rejects.toThrow(LogMismatchError);
    await expect(failure).rejects.toThrow(
      `has folded partition ${partition} up to offset ${offset}, but the log ends at 1: records were lost, or `,
    );
  }, 30_000);

  it('stops if it has reached the position again with other records', async () => {
    await append(['a', 'b', 'c']);
    const offset = await fold();
    await cut(1);
    await append(['d', 'e', 'f']);
    const failure = assert(offset);
    await expect(failure).rejects.toThrow(LogMismatchError);
    await expect(failure).rejects.toThrow(
      `has folded partition ${partition} up to offset ${offset}, but the log now has another record at offset 2: `,
    );
    await expect(failure).rejects.toThrow('`posture replay --records-lost`');
  });

  it('continues if the record of the last change was trimmed', async () => {
    await append(['a']);
    const offset = await fold();
    await log.trim(INTAKE_TOPIC, partition, offset);
    await assert(offset);
  });
});
