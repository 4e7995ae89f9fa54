import { type Kysely, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';
import { type CatalogueRow, CatalogueTimeline } from './catalogue-timeline.ts';

/**
 * What the catalogues say of CVEs, from an instant on, in epoch milliseconds; of earlier ones it is not to be asked.
 * @param from the beginning where it is left out
 */
export async function readCatalogues(
  db: Kysely<Schema>,
  cves: Iterable<string>,
  from = 0,
): Promise<CatalogueTimeline> {
  const wanted = [...new Set(cves)];
  if (wanted.length === 0) return new CatalogueTimeline([]);
  const { rows } = await sql<CatalogueRow>`
    select catalogue, cve, value, valid_from as "validFrom", valid_to as "validTo"
    from catalogue_rows
    where cve = any(${wanted}::text[]) and valid_to > ${instant(from)}`.execute(db);
  return new CatalogueTimeline(rows);
}
