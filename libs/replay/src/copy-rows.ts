import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { CheckpointTable } from '#libs/log-archive';
import { columnsOf } from './columns-of.ts';
import { LONG_MS_MAX } from './long-query.ts';
import type { Connection } from './queryable.ts';

/** How `pg` limits the duration of a submitted query. */
interface Bounded {
  query_timeout?: number;
  callback?: () => void;
}

/** The rows of each table of a schema, in the order of their keys: the same rows give the same bytes. */
export async function* tablesOf(
  connection: Connection,
  schema: string,
  tables: readonly { name: string; key: readonly string[] }[],
): AsyncGenerator<CheckpointTable> {
  for (const { name, key } of tables) {
    const columns = await columnsOf(connection, `${schema}.${name}`);
    const query = `select ${quoted(columns)} from ${schema}.${name} order by ${quoted(key)}`;
    yield { name, columns, rows: copyOut(connection, query) };
  }
}

/**
 * The rows of a query in COPY's text format, cut anywhere, no faster than they are taken. A connection that was not
 * read to the end is not to be used again.
 */
async function* copyOut(connection: Connection, query: string): AsyncGenerator<Buffer> {
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
const quoted = (columns: readonly string[]): string =>
  columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ');

const bounded = <T extends object>(stream: T): T & Bounded =>
  Object.assign(stream, { query_timeout: LONG_MS_MAX });
