import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** Of rows with whole findings in them, as texts: a finding may have megabytes, and as many again with every change. */
const ROWS_MAX = 100;
/** Fit into memory whatever they contain. */
export const ROWS_FIRST = 8;
const CHARACTERS_AIM = 4 * 1024 * 1024;

/**
 * The rows of a query, 100 in memory at a time, for any number of rows, and fewer if the previous ones were large; must
 * be read to its end before another query. If the reader throws, the transaction ends, and the cursor with it.
 */
export async function* inPieces<T extends object>(
  tx: QueryExecutorProvider,
  query: RawBuilder<T>,
): AsyncGenerator<T> {
  const fetch = async (wanted: number) => {
    const { rows } = await sql<T>`fetch ${sql.lit(wanted)} from pieces`.execute(tx);
    return { wanted, rows };
  };
  const opened = sql`declare pieces no scroll cursor for ${query}`.execute(tx);
  let [, piece] = await Promise.all([opened, fetch(ROWS_FIRST)]);
  yield* piece.rows;
  while (piece.rows.length === piece.wanted) {
    piece = await fetch(rowsAfter(piece.rows));
    yield* piece.rows;
  }
  await sql`close pieces`.execute(tx);
}

/** As `inPieces`, by one statement if the rows are few. */
export async function* inFewPieces<T extends object>(
  tx: QueryExecutorProvider,
  query: RawBuilder<T>,
): AsyncGenerator<T> {
  const { rows } = await sql<T>`${query} limit ${ROWS_FIRST}`.execute(tx);
  yield* rows.length < ROWS_FIRST ? rows : inPieces(tx, query);
}

/** Twice as many as before, while they stay below the target. */
function rowsAfter(rows: object[]): number {
  const each = charactersOf(rows) / rows.length;
  return Math.max(1, Math.min(ROWS_MAX, 2 * rows.length, Math.floor(CHARACTERS_AIM / each)));
}

const charactersOf = (rows: object[]): number =>
  rows
    .flatMap((row) => Object.values(row))
    .reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
