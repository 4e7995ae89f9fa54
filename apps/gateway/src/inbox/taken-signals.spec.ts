import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventLog, StoredRecord } from '#libs/event-log';
import { EventSealer } from '#libs/sealing';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { SubjectKeysInMemory } from '../../../../test/support/subject-keys-in-memory.ts';
import { RetryLaterException } from '../http/http-errors.ts';
import { ProjectionPositions } from '../projection/projection-positions.repository.ts';
import { TakenSignals, uploadIdOf } from './taken-signals.ts';

const STORED_AT = 1_750_000_000_000;
const HEADER = { events: 1, signals: 1, rejected: 0, warnings: [] };
const ENDS = [3, 0];

const record = (offset: number): StoredRecord => ({
  partition: 0,
  offset,
  key: 'ana',
  value: Buffer.from('{}'),
  headers: {},
  storedAt: STORED_AT,
});

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const takenWith = (sealer: EventSealer) =>
  new TakenSignals(
    { ends: async () => ENDS } as unknown as EventLog,
    database.db,
    new ProjectionPositions(database.db),
    sealer,
  );
const sealing = () => takenWith(new EventSealer(new SubjectKeysInMemory()));
const notSealing = () => takenWith(new EventSealer(null));

/** As the fold stores an upload of one signal. */
const folded = (uploadId: string) =>
  database.pool.query(
    `insert into upload_progress (upload_id, partition, kind, received_at, seen, event_count, signals, header, counts,
       merged, unrecognised_tags)
     values ($1, 1, 'inbox', $2, 1, 1, 1, $3, '{}', '[]', '{}')`,
    [uploadId, new Date(STORED_AT), JSON.stringify(HEADER)],
  );

describe('signals of the inbox that the log already has (R-INBOX-3)', () => {
  it('have a receipt from the fold, whichever partition has them', async () => {
    await folded(uploadIdOf(record(7)));
    expect([...(await sealing().receipts([record(6), record(7)])).values()]).toEqual([
      {
        ...HEADER,
        uploadId: uploadIdOf(record(7)),
        kind: 'inbox',
        by: null,
        receivedAt: STORED_AT,
        source: 'posture.signals/0/7',
      },
    ]);
  });

  it('are known when the log is folded up to where it ended at the opening', async () => {
    const taken = sealing();
    await taken.open(0);
    await expect(taken.assertFolded(0)).rejects.toThrow(RetryLaterException);
    await database.pool.query(
      `insert into projection_positions (partition, next_offset, clock, asset_counter)
       values (0, 3, now(), 0)`,
    );
    await taken.assertFolded(0);
    await database.pool.query('delete from projection_positions');
    await taken.assertFolded(0);
  });

  it('are dropped by the fold without sealing: nothing is asked for', async () => {
    const taken = notSealing();
    await taken.open(0);
    await taken.assertFolded(0);
    expect(await taken.receipts([record(7)])).toEqual(new Map());
  });
});
