import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { CatalogueKind, CatalogueValues } from './catalogue-timeline.ts';

/** The data of a publisher's file about a CVE, or about a technique, that scores need. */
export interface ReadRow<C extends CatalogueKind = CatalogueKind> {
  /** Id of the CVE; of the technique in rows of `attack`. */
  cve: string;
  value: CatalogueValues[C];
}

/** How many rows were read, and SHA-256 over them in their order, in hexadecimal digits. */
export interface RowsRead {
  rows: number;
  hash: string;
}

/** An import that is not in force. */
export interface StagedImport {
  id: string;
  source: string;
  startedAt: number;
  stagedRows: number;
  /** Null if nothing is staged yet. */
  stagedHash: string | null;
  /** Null until all rows are staged; its event may be in the log once it is set. */
  contentHash: string | null;
}

/** An import that is not in force, or whose affected assets are not all marked for scoring. */
export interface UnfinishedImport extends StagedImport {
  /** From when on it is in force, in epoch milliseconds; null if it is not. */
  validFrom: number | null;
}

/** The imports of a catalogue that are not in force, the newest first. */
export const stagedImports = (db: Kysely<Schema>, catalogue: CatalogueKind): Promise<StagedImport[]> =>
  importsOf(db, catalogue).where('valid_from', 'is', null).execute();

/** The newest first. */
export const unfinishedImports = (
  db: Kysely<Schema>,
  catalogue: CatalogueKind,
): Promise<UnfinishedImport[]> =>
  importsOf(db, catalogue)
    .select('valid_from as validFrom')
    .where((of) => of.or([of('valid_from', 'is', null), of('marking_from', 'is not', null)]))
    .execute();

const importsOf = (db: Kysely<Schema>, catalogue: CatalogueKind) =>
  db
    .selectFrom('catalogue_imports')
    .select([
      'id',
      'source',
      'started_at as startedAt',
      'staged_rows as stagedRows',
      'staged_hash as stagedHash',
      'content_hash as contentHash',
    ])
    .where('catalogue', '=', catalogue)
    .orderBy('started_at', 'desc');

export async function beginImport(
  db: Kysely<Schema>,
  { id, source, startedAt }: Pick<StagedImport, 'id' | 'source' | 'startedAt'>,
  catalogue: CatalogueKind,
): Promise<void> {
  await db
    .insertInto('catalogue_imports')
    .values({ id, catalogue, source, started_at: new Date(startedAt) })
    .execute();
}

/** Deletes imports that are not in force, with their staged rows. */
export async function discardImports(db: Kysely<Schema>, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await sql`delete from catalogue_staged where import_id = any(${ids}::uuid[])`.execute(trx);
    await sql`delete from catalogue_imports
      where id = any(${ids}::uuid[]) and valid_from is null`.execute(trx);
  });
}

/** Stages rows, of which a CVE's later one counts, and notes the progress of the reading. */
export async function stageBatch(
  db: Kysely<Schema>,
  importId: string,
  batch: ReadRow[],
  read: RowsRead,
): Promise<void> {
  const rows = [...new Map(batch.map((row) => [row.cve, row])).values()];
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into catalogue_staged (import_id, cve, value)
      select ${importId}::uuid, cve, value from unnest(
        ${rows.map(({ cve }) => cve)}::text[], ${rows.map(({ value }) => JSON.stringify(value))}::jsonb[]
      ) as t (cve, value)
      on conflict (import_id, cve) do update set value = excluded.value`.execute(trx);
    await trx
      .updateTable('catalogue_imports')
      .set({ staged_rows: read.rows, staged_hash: read.hash })
      .where('id', '=', importId)
      .execute();
  });
}

/** All rows are staged. */
export async function noteContent(db: Kysely<Schema>, importId: string, hash: string): Promise<void> {
  await db.updateTable('catalogue_imports').set({ content_hash: hash }).where('id', '=', importId).execute();
}
