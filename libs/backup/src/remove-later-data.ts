import { IS_WHOLE_LIST } from '#libs/catalogue-store';
import { forgetAnswers, longQuery, type Queryable, uploadsWithKeys } from '#libs/replay';

/**
 * Removes rows that refer to later records from the tables outside a log that was restored up to an instant: the tables
 * are from the time of the backup. Credentials and secrets stay as they were then: a password that was changed must not
 * hold again.
 * @param connection in a transaction without a `statement_timeout`, once the log is folded
 * @param until epoch milliseconds
 */
export async function removeLaterData(connection: Queryable, until: number): Promise<void> {
  // Each partition is cut at its own place, so that an upload may be on both sides of the cut.
  await forgetAnswers(connection, await uploadsWithKeys(connection));
  await connection.query(longQuery(RECEIPTS));
  await connection.query(longQuery(SYNCS, [new Date(until)]));
  for (const statement of CATALOGUES) await connection.query(longQuery(statement));
}

const RECEIPTS = `
  delete from upload_receipts r
   where r.events > 0 and not exists (select from upload_progress p where p.upload_id = r.upload_id)`;

/** Their watermarks refer to removed signals: the next sync begins at the previous ones. */
const SYNCS = `delete from syncs where requested_at > $1 or finished_at is null or finished_at > $1`;

/** SQL: names of catalogues. */
const WHOLE_LISTS = Object.entries(IS_WHOLE_LIST)
  .flatMap(([catalogue, isWhole]) => (isWhole ? `'${catalogue}'` : []))
  .join(', ');

/**
 * An import is valid only with its event; its rows begin, and end the earlier ones, at its instant. These continue until
 * the next import of a complete list, or until the next row of the CVE or technique. What is in force beyond the next
 * kept import of a complete list is what that one said: it begins there.
 */
const CATALOGUES = [
  `create temporary table gone_imports on commit drop as
   select id, catalogue, valid_from, next_kept from (
     select i.*, min(valid_from) filter (where is_kept) over (
       partition by catalogue order by valid_from rows between 1 following and unbounded following) as next_kept
      from (
        select id, catalogue, valid_from, exists (
          select from acts a
           where a.action = 'catalogue.imported' and a.detail -> 'after' ->> 'importId' = id::text) as is_kept
         from catalogue_imports) i) i
    where not is_kept`,
  `update catalogue_rows r set valid_from = g.next_kept from gone_imports g
    where r.catalogue = g.catalogue and r.valid_from = g.valid_from
      and r.catalogue in (${WHOLE_LISTS}) and r.valid_to > g.next_kept`,
  `delete from catalogue_rows r using gone_imports g
    where r.catalogue = g.catalogue and r.valid_from = g.valid_from`,
  `update catalogue_rows r set valid_to = coalesce(
      case when r.catalogue not in (${WHOLE_LISTS}) then (
        select min(n.valid_from) from catalogue_rows n
         where n.cve = r.cve and n.catalogue = r.catalogue and n.valid_from > r.valid_from)
      else g.next_kept end, 'infinity')
     from gone_imports g
    where r.catalogue = g.catalogue and r.valid_to = g.valid_from`,
  'delete from catalogue_staged where import_id in (select id from gone_imports)',
  'delete from catalogue_imports where id in (select id from gone_imports)',
];
