import type { LogFile } from '#libs/log-archive';
import { Projection } from '#libs/projection';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/**
 * Folds a log file as a projector does, into the tables of a database of its own, which is dropped when the work with it
 * is done. The records come from the file itself: what is set aside as corrupt says when it was stored.
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
