import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { LONG_MS_MAX } from './long-query.ts';
import type { Connection } from './queryable.ts';

/** How `pg` limits the duration of a submitted query. */
interface Bounded {
  query_timeout?: number;
  callback?: () => void;
}

/**
 * The rows of a query in COPY's text format, cut anywhere, no faster than they are taken. A connection that was not
 * read to the end is not to be used again.
 */
export async function* copyOut(connection: Connection, query: string): AsyncGenerator<Buffer> {
  const stream = bounded(copyTo(`copy (${query}) to stdout`));
  connection.query(stream);
  try {
    yield* stream as AsyncIterable<Buffer>;
  } finally {
    // pg-copy-streams leaves pg's timer running, which would keep the process alive.
    (stream as Bounded).callback?.();
  }
}

/** Writes rows in COPY's text format into a table. */
export async function copyIn(
  connection: Connection,
  table: string,
  columns: readonly string[],
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const stream = bounded(copyFrom(`copy ${table} (${quoted(columns)}) from stdin`));
  connection.query(stream);
  await pipeline(rows, stream);
}

/** Column names as SQL. */
export const quoted = (columns: readonly string[]): string =>
  columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ');

const bounded = <T extends object>(stream: T): T & Bounded =>
  Object.assign(stream, { query_timeout: LONG_MS_MAX });
