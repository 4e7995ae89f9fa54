import { longQuery, type Queryable } from '#libs/replay';

/**
 * Takes out of the tables beside a log that was restored up to an instant what tells of records behind it: the tables
 * are of the backup's own moment. Credentials and secrets stay as they were then: a password that was changed must not
 * hold again.
 * @param connection in a transaction without a `statement_timeout`, once the log is folded
 * @param until epoch milliseconds
 */
export async function forgetWhatIsLater(connection: Queryable, until: number): Promise<void> {
  for (const statement of UPLOADS) await connection.query(longQuery(statement));
  await connection.query(longQuery(SYNCS, [new Date(until)]));
  for (const statement of CATALOGUES) await connection.query(longQuery(statement));
}

/**
 * A client that comes back with its key must not hear that what is gone was taken. Of an upload that lies on both sides
 * of the cut, which each partition has in a place of its own, the rest is appended then, and what is there is a repeat.
 */
const UPLOADS = [
  `update idempotency_keys k set answer = null
    where (select sum(p.seen) < max((p.header ->> 'events')::int) from upload_progress p where p.upload_id = k.upload_id)`,
  `delete from idempotency_keys k
    where not exists (select from upload_progress p where p.upload_id = k.upload_id)`,
  `delete from upload_receipts r
    where r.events > 0 and not exists (select from upload_progress p where p.upload_id = r.upload_id)`,
];

/** Their watermarks tell of signals that are gone: the next sync begins at those before. */
const SYNCS = `delete from syncs where requested_at > $1 or finished_at is null or finished_at > $1`;

/** An import holds with its event alone; its rows begin, and end those before, at its own instant. */
const CATALOGUES = [
  `create temporary table gone_imports on commit drop as
   select i.id, i.catalogue, i.valid_from from catalogue_imports i
    where not exists (
      select from acts a
       where a.action = 'catalogue.imported' and a.detail -> 'after' ->> 'importId' = i.id::text)`,
  `delete from catalogue_rows r using gone_imports g
    where r.catalogue = g.catalogue and r.valid_from = g.valid_from`,
  `update catalogue_rows r set valid_to = 'infinity' from gone_imports g
    where r.catalogue = g.catalogue and r.valid_to = g.valid_from`,
  'delete from catalogue_staged where import_id in (select id from gone_imports)',
  'delete from catalogue_imports where id in (select id from gone_imports)',
];
