import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { bringIntoForce } from './bring-into-force.ts';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { markAllRescorings } from './mark-rescorings.ts';

interface PendingImport {
  id: string;
  catalogue: CatalogueKind;
  at: number;
  effectiveFrom: number | null;
}

/**
 * Brings folded imports into force, in the order of the log, and marks the affected assets for scoring: an import comes
 * into force with its event, also if the importing process has ended. If nothing is pending, it runs only two small
 * queries. Several processes may run it at once; it resumes an interrupted run. If an import fails, those of other
 * catalogues are processed all the same, and then its error is thrown.
 * @param importing the catalogue that is being imported: failures of others, which the scorer reports, are not thrown
 * @returns the ids of the imports that this call has brought into force
 */
export async function bringPendingIntoForce(
  db: Kysely<Schema>,
  importing?: CatalogueKind,
): Promise<string[]> {
  const done: string[] = [];
  const failed = new Map<CatalogueKind, Error>();
  const attempt = async (catalogue: CatalogueKind, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      failed.set(catalogue, failed.get(catalogue) ?? (error as Error));
    }
  };
  for (const { id, catalogue, ...instants } of await foldedImports(db)) {
    // A later import of the catalogue waits for it: the last one counts.
    if (failed.has(catalogue)) continue;
    await attempt(catalogue, async () => {
      if (await bringIntoForce(db, id, instants)) done.push(id);
    });
  }
  for (const { id, catalogue } of await unmarkedImports(db)) {
    await attempt(catalogue, () => markAllRescorings(db, id));
  }
  const [first] = failed.values();
  const error = importing === undefined ? first : failed.get(importing);
  if (error) throw error;
  return done;
}

async function foldedImports(db: Kysely<Schema>): Promise<PendingImport[]> {
  const { rows } = await sql<PendingImport>`
    select i.id, i.catalogue, min(a.at) as at,
           (min(a.detail -> 'after' ->> 'effectiveFrom'))::timestamptz as "effectiveFrom"
    from catalogue_imports i
    join acts a on a.target = i.catalogue and a.action = 'catalogue.imported'
               and a.detail -> 'after' ->> 'importId' = i.id::text
    where i.valid_from is null and i.content_hash is not null
    group by i.id order by min(a.log_offset)`.execute(db);
  return rows;
}

/** Also those whose activation was interrupted. */
const unmarkedImports = (db: Kysely<Schema>) =>
  db
    .selectFrom('catalogue_imports')
    .select(['id', 'catalogue'])
    .where('marking_from', 'is not', null)
    .orderBy('valid_from')
    .execute();
