import { type Kysely, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';

/**
 * A CVE that is missing in one of these is in it no more. Files of CVE states may be parts, and so are bundles of ATT&CK,
 * one for each matrix: they keep techniques that were revoked.
 */
export const IS_WHOLE_LIST: Record<CatalogueKind, boolean> = {
  attack: false,
  ctid: true,
  cve: false,
  epss: true,
  kev: true,
};
export const WHOLE_LISTS = (Object.keys(IS_WHOLE_LIST) as CatalogueKind[]).filter(
  (kind) => IS_WHOLE_LIST[kind],
);

/** Publishers' lists grow, and lose a few CVEs at a time; a file that was cut off at a line's end looks like a shorter list. */
const SHARE_MIN = 0.9;

/** A list has so few rows that it may be a part of one; the message says how many. */
export class ListShrunkError extends Error {
  override name = 'ListShrunkError';
}

/**
 * Refuses a list, all of it staged, that has less than nine tenths of the CVEs that are in force at an instant.
 * @param at epoch milliseconds; null: now
 * @throws ListShrunkError
 */
export async function rejectShrunkList(
  db: Kysely<Schema>,
  importId: string,
  catalogue: CatalogueKind,
  at: number | null = null,
): Promise<void> {
  if (!IS_WHOLE_LIST[catalogue]) return;
  const inForceThen =
    at === null
      ? sql`valid_to = 'infinity'`
      : sql`valid_from <= ${instant(at)} and valid_to > ${instant(at)}`;
  const { rows } = await sql<{ staged: number; inForce: number }>`
    select (select count(*) from catalogue_staged where import_id = ${importId}) as staged,
           (select count(*) from catalogue_rows
            where catalogue = ${catalogue} and ${inForceThen}) as "inForce"`.execute(db);
  const { staged, inForce } = rows[0]!;
  if (staged >= SHARE_MIN * inForce) return;
  throw new ListShrunkError(
    `the list has ${staged} CVEs, and the one in force ${inForce}: a list with less than ${SHARE_MIN * 100} % of them may be truncated`,
  );
}
