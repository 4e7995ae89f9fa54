import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { type ReadRow, type RowsRead, type StagedImport, stageBatch } from './staged-imports.ts';

const BATCH_ROWS = 5_000;

/** The rows differ from the rows that an interrupted import has staged: the import must start again. */
export class ContentChangedError extends Error {
  override name = 'ContentChangedError';
}

/**
 * Stages the rows of an import, 5,000 at a time. Those that an earlier run has staged are read again, as the hash is
 * over all of them, and not written again.
 * @param onRead receives how many rows were read, after each batch
 * @throws ContentChangedError if they are others than were staged
 */
export async function stageRows(
  db: Kysely<Schema>,
  { id, stagedRows, stagedHash }: StagedImport,
  rows: AsyncIterable<ReadRow>,
  onRead: (rows: number) => void = () => {},
): Promise<RowsRead> {
  const hash = createHash('sha256');
  const soFar = (): RowsRead => ({ rows: count, hash: hash.copy().digest('hex') });
  let count = 0;
  let batch: ReadRow[] = [];
  for await (const row of rows) {
    hash.update(`${row.cve} ${JSON.stringify(row.value)}\n`);
    count += 1;
    if (count > stagedRows) batch.push(row);
    else if (count === stagedRows && soFar().hash !== stagedHash) throw new ContentChangedError();
    if (batch.length === BATCH_ROWS) {
      await stageBatch(db, id, batch, soFar());
      batch = [];
    }
    if (count % BATCH_ROWS === 0) onRead(count);
  }
  if (count < stagedRows) throw new ContentChangedError();
  if (batch.length > 0) await stageBatch(db, id, batch, soFar());
  onRead(count);
  return soFar();
}
