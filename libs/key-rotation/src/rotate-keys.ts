import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Vault, VaultError, type VaultFailure } from '#libs/vault';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** Rows that are locked together, for a few milliseconds. */
const BATCH_ROWS = 500;
/** Damaged keys that are named; all are counted. */
const NAMED_MAX = 1_000;

/** A text that does not open. */
export interface DamagedKey {
  /** Such as `the key of subject lXb…`. */
  name: string;
  failure: VaultFailure;
}

export interface Rotated {
  /** Wrapped again with the present key. */
  rotated: number;
  /** Under the present key before. */
  unchanged: number;
  /** Replaced or destroyed by another program in the meantime. */
  changedMeanwhile: number;
  damaged: number;
  /** The first of the damaged ones. */
  named: DamagedKey[];
}

export interface RotateOptions {
  batchRows?: number;
  /** Called after each batch, which is committed by then. */
  onBatch?: (done: number) => void;
  /** Ends the rotation before the next batch. */
  signal?: AbortSignal | undefined;
}

/**
 * Wraps everything that another key of the vault has sealed with its current key. Nothing else changes: texts, lookups
 * and ids stay. It can be interrupted and repeated, and run twice at the same time, also while programs use the keys: a
 * row is replaced only if it still has the text that was read. A text that does not open stays and is named.
 */
export async function rotateKeys(
  db: Kysely<Schema>,
  vault: Vault,
  { batchRows = BATCH_ROWS, onBatch = () => {}, signal }: RotateOptions = {},
): Promise<Rotated> {
  const total: Rotated = { rotated: 0, unchanged: 0, changedMeanwhile: 0, damaged: 0, named: [] };
  let done = 0;
  for (const column of SEALED_COLUMNS) {
    for await (const rows of batchesOf(db, column, batchRows)) {
      signal?.throwIfAborted();
      await rotateBatch(db, vault, column, rows, total);
      done += rows.length;
      onBatch(done);
    }
  }
  return total;
}

interface SealedRow {
  /** Values of the primary key. */
  id: string[];
  sealed: string;
}

/** In the order of the primary key. */
async function* batchesOf(
  db: Kysely<Schema>,
  { table, column, key }: SealedColumn,
  limit: number,
): AsyncGenerator<SealedRow[]> {
  const names = sql.join(key.map(([name]) => sql.ref(name)));
  for (let after: string[] | undefined; ; ) {
    const isAfter = after
      ? sql`(${names}) > (${sql.join(key.map(([, type], i) => sql`${after![i]}::${sql.raw(type)}`))})`
      : sql`true`;
    const { rows } = await sql<SealedRow>`
      select array[${sql.join(key.map(([name]) => sql`${sql.ref(name)}::text`))}] as id, ${sql.ref(column)} as sealed
        from ${sql.table(table)} where ${sql.ref(column)} is not null and ${isAfter}
       order by ${names} limit ${limit}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1)!.id;
  }
}

async function rotateBatch(
  db: Kysely<Schema>,
  vault: Vault,
  column: SealedColumn,
  rows: readonly SealedRow[],
  total: Rotated,
): Promise<void> {
  const fresh: (SealedRow & { replacement: string })[] = [];
  for (const row of rows) {
    try {
      const replacement = vault.reseal(row.sealed, column.placeOf(row.id));
      if (replacement === null) total.unchanged += 1;
      else fresh.push({ ...row, replacement });
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      total.damaged += 1;
      if (total.named.length < NAMED_MAX) {
        total.named.push({ name: column.nameOf(row.id), failure: error.failure });
      }
    }
  }
  if (fresh.length === 0) return;
  const replaced = await replace(db, column, fresh);
  total.rotated += replaced;
  total.changedMeanwhile += fresh.length - replaced;
}

/** Compares and sets. Rows are locked in the order of their key, so that two rotations do not wait in a circle. */
async function replace(
  db: Kysely<Schema>,
  { table, column, key }: SealedColumn,
  rows: readonly (SealedRow & { replacement: string })[],
): Promise<number> {
  const target = sql.table(table);
  const sealed = sql.ref(column);
  const keys = key.map(([name]) => sql.ref(name));
  const given = [
    ...key.map(([, type], i) => sql`${rows.map(({ id }) => id[i]!)}::${sql.raw(type)}[]`),
    sql`${rows.map((row) => row.sealed)}::text[]`,
    sql`${rows.map((row) => row.replacement)}::text[]`,
  ];
  const isSame = sql.join(
    keys.map((name) => sql`t.${name} = g.${name}`),
    sql` and `,
  );
  const { numAffectedRows = 0n } = await sql`
    with given (${sql.join(keys)}, was, replacement) as (select * from unnest(${sql.join(given)})),
    locked as materialized (
      select g.* from ${target} t join given g on ${isSame} and t.${sealed} = g.was
       order by ${sql.join(keys.map((name) => sql`t.${name}`))} for update of t)
    update ${target} t set ${sealed} = g.replacement from locked g where ${isSame} and t.${sealed} = g.was`.execute(
    db,
  );
  return Number(numAffectedRows);
}
