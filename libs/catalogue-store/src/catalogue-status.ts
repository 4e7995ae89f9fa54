import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { type CatalogueImport, inForce } from './imports-in-force.ts';
import { type UnfinishedImport, unfinishedImports } from './staged-imports.ts';

/** The data in force of a catalogue, and its source. */
export interface CatalogueStatus {
  catalogue: CatalogueKind;
  /** CVEs, or techniques, of which something is in force. */
  rows: number;
  /** Null if nothing was imported yet. */
  lastImport: CatalogueImport | null;
  /** Imports that are in progress or were interrupted, also while assets are being marked; the newest first. */
  unfinished: UnfinishedImport[];
}

const KINDS: readonly CatalogueKind[] = ['attack', 'ctid', 'cve', 'epss', 'kev'];

/** The state of every catalogue that is imported. */
export async function catalogueStatus(db: Kysely<Schema>): Promise<CatalogueStatus[]> {
  const found: CatalogueStatus[] = [];
  for (const catalogue of KINDS) {
    found.push({
      catalogue,
      rows: await rowsInForce(db, catalogue),
      lastImport: (await inForce(db).where('catalogue', '=', catalogue).limit(1).executeTakeFirst()) ?? null,
      unfinished: await unfinishedImports(db, catalogue),
    });
  }
  return found;
}

async function rowsInForce(db: Kysely<Schema>, catalogue: CatalogueKind): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from catalogue_rows
    where catalogue = ${catalogue} and valid_to = 'infinity'`.execute(db);
  return rows[0]!.count;
}
