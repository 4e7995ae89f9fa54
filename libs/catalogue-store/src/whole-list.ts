import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';

/** A CVE that is missing in one of these is in it no more; files of CVE states may be parts. */
export const IS_WHOLE_LIST: Record<CatalogueKind, boolean> = { cve: false, epss: true, kev: true };
/** Publishers' lists grow, and lose a few CVEs at a time; a file that was cut off at a line's end looks like a shorter list. */
const SHARE_MIN = 0.9;

/** A list has so few rows that it may be a part of one; the message says how many. */
export class ListShrunkError extends Error {
  override name = 'ListShrunkError';
}

/**
 * Refuses a list, all of it staged, that has less than nine tenths of the CVEs that are in force.
 * @throws ListShrunkError
 */
export async function refuseShrunkList(
  db: Kysely<Schema>,
  importId: string,
  catalogue: CatalogueKind,
): Promise<void> {
  if (!IS_WHOLE_LIST[catalogue]) return;
  const { rows } = await sql<{ staged: number; inForce: number }>`
    select (select count(*) from catalogue_staged where import_id = ${importId}) as staged,
           (select count(*) from catalogue_rows
            where catalogue = ${catalogue} and valid_to = 'infinity') as "inForce"`.execute(db);
  const { staged, inForce } = rows[0]!;
  if (staged >= SHARE_MIN * inForce) return;
  throw new ListShrunkError(
    `the list has ${staged} CVEs, and the one in force ${inForce}: with less than ${SHARE_MIN * 100} % of them it may be cut off`,
  );
}
