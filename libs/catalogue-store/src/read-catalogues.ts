import { type QueryExecutorProvider, sql } from 'kysely';
import { instant } from '#libs/database';
import { type CatalogueRow, CatalogueTimeline } from './catalogue-timeline.ts';
import { readTechniques } from './read-techniques.ts';

/**
 * The data of the catalogues about CVEs, and about all techniques, from an instant on (epoch milliseconds); do not query
 * earlier instants.
 * @param from the beginning if omitted
 */
export async function readCatalogues(
  db: QueryExecutorProvider,
  cves: Iterable<string>,
  from = 0,
): Promise<CatalogueTimeline> {
  const techniques = await readTechniques(db);
  const wanted = [...new Set(cves)];
  if (wanted.length === 0) return new CatalogueTimeline([], techniques);
  const { rows } = await sql<CatalogueRow>`
    /* read_catalogue_rows */
    select catalogue, cve, value, valid_from as "validFrom", valid_to as "validTo"
    from catalogue_rows
    where cve = any(${wanted}::text[]) and valid_to > ${instant(from)}`.execute(db);
  return new CatalogueTimeline(rows, techniques);
}
