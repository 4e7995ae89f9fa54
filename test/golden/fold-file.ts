import type { LogFile } from '#libs/log-archive';
import { Projection } from '#libs/projection';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/**
 * Folds a log file as a projector does, into the tables of a temporary database, which is dropped after the task. The
 * records are read from the file itself, because quarantined ones have their time of storage.
 */
export async function withFolded<T>(file: LogFile, work: (database: TestDatabase) => Promise<T>): Promise<T> {
  await file.verify();
  const database = await testDatabase();
  try {
    const projection = new Projection(database.db);
    for (const partition of file.extent.ends.keys()) await projection.open(partition);
    for await (const batch of file.batches()) {
      for (const partition of file.extent.ends.keys()) {
        const records = batch.filter((record) => record.partition === partition);
        let next = records[0]?.offset ?? 0;
        while (next <= (records.at(-1)?.offset ?? -1)) {
          next = await projection.project(records.filter(({ offset }) => offset >= next));
        }
      }
    }
    return await work(database);
  } finally {
    await database.drop();
  }
}
