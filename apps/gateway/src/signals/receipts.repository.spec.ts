import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { ReceiptsRepository, type UploadReceipt } from './receipts.repository.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const receipt = (uploadId = randomUUID(), signals = 1): UploadReceipt => ({
  uploadId,
  kind: 'json',
  by: 'ana',
  receivedAt: 1_700_000_000_000,
  events: 1,
  signals,
  rejected: 0,
  warnings: [{ entry: null, field: 'lastSeen', message: 'is no instant' }],
});

const stored = () => database.db.selectFrom('upload_receipts').selectAll().orderBy('upload_id').execute();

describe('ReceiptsRepository (R-UPL-5)', () => {
  it('writes every receipt of concurrent uploads before it resolves', async () => {
    const receipts = new ReceiptsRepository(database.db);
    const added = Array.from({ length: 1_200 }, () => receipt());
    await Promise.all(
      added.map(async (one, index) => {
        await receipts.add(one);
        if (index % 400 === 0) {
          const row = await database.db
            .selectFrom('upload_receipts')
            .select('upload_id')
            .where('upload_id', '=', one.uploadId)
            .execute();
          expect(row).toHaveLength(1);
        }
      }),
    );
    expect((await stored()).map(({ upload_id }) => upload_id)).toEqual(
      added.map(({ uploadId }) => uploadId).sort(),
    );
    expect((await stored())[0]!.warnings).toEqual([
      { entry: null, field: 'lastSeen', message: 'is no instant' },
    ]);
  });

  it('does not change the first receipt of an upload', async () => {
    const receipts = new ReceiptsRepository(database.db);
    const id = randomUUID();
    await Promise.all([receipts.add(receipt(id, 1)), receipts.add(receipt(id, 2))]);
    await receipts.add(receipt(id, 3));
    expect((await stored()).filter(({ upload_id }) => upload_id === id)).toMatchObject([{ signals: 1 }]);
  });

  it('keeps at most 2,048 that wait', async () => {
    const receipts = new ReceiptsRepository(database.db);
    const outcomes = await Promise.allSettled(Array.from({ length: 2_050 }, () => receipts.add(receipt())));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    await receipts.add(receipt());
  });

  it('rejects each of the callers if the database is unavailable, and continues with the next', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
    const receipts = new ReceiptsRepository(away.db);
    const outcomes = await Promise.allSettled([receipts.add(receipt()), receipts.add(receipt())]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(receipts.add(receipt())).rejects.toThrow();
    await away.close();
  });
});
