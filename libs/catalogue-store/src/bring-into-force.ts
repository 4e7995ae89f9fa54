import { type Kysely, sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { IS_WHOLE_LIST } from './whole-list.ts';

/** What an import changed of what was in force, in CVEs. */
export interface CatalogueChanges {
  added: number;
  changed: number;
  removed: number;
}

/**
 * What of a row scores depend on: a row in which only the rest differs stays as it is, so that of a probability the day
 * is told from which it has held.
 */
const DECISIVE: Record<CatalogueKind, string> = { cve: 'state', epss: 'probability', kev: 'dateAdded' };
/** So many CVEs at once, as a statement has 60 s. */
const PIECE_ROWS = 50_000;

/**
 * Brings what an import has staged into force, from the instant of its event on, in epoch milliseconds, in one
 * transaction; then `markRescorings` has its part. Where the catalogue's last import is no older than that, from the
 * millisecond behind it on.
 * @returns false where it is in force already, or unknown
 */
export const bringIntoForce = (db: Kysely<Schema>, importId: string, at: number): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('catalogue_imports')
      .select(['catalogue', 'valid_from'])
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirst();
    if (!found || found.valid_from !== null) return false;
    const { catalogue } = found;
    const from = Math.max(at, (await lastValidFrom(trx, catalogue)) + 1);
    await findDelta(trx, importId, catalogue);
    const changes = await countDelta(trx);
    const rows = changes.added + changes.changed + changes.removed;
    for (let after = 0; after < rows; after += PIECE_ROWS) await applyPiece(trx, catalogue, from, after);
    await sql`delete from catalogue_staged where import_id = ${importId}`.execute(trx);
    await trx
      .updateTable('catalogue_imports')
      .set({ valid_from: new Date(from), ...changes, marking_from: rows > 0 ? 0 : null })
      .where('id', '=', importId)
      .execute();
    return true;
  });

async function lastValidFrom(trx: Transaction<Schema>, catalogue: CatalogueKind): Promise<number> {
  const { last } = await trx
    .selectFrom('catalogue_imports')
    .select((of) => of.fn.max('valid_from').as('last'))
    .where('catalogue', '=', catalogue)
    .executeTakeFirstOrThrow();
  return last ?? Number.NEGATIVE_INFINITY;
}

/** The CVEs of which something else is known, with the row that says otherwise; `value` is null where nothing is any more. */
async function findDelta(trx: Transaction<Schema>, importId: string, catalogue: CatalogueKind) {
  await sql`
    create temporary table catalogue_delta (
      no bigint generated always as identity,
      cve text collate "C" not null, value jsonb, old_row tid
    ) on commit drop`.execute(trx);
  const decisive = sql`${DECISIVE[catalogue]}::text`;
  await sql`
    insert into catalogue_delta (cve, value, old_row)
    select coalesce(new.cve, old.cve), new.value, old.ctid
    from (select cve, value from catalogue_staged where import_id = ${importId}) new
    full join (
      select ctid, cve, value from catalogue_rows where catalogue = ${catalogue} and valid_to = 'infinity'
    ) old on old.cve = new.cve
    where case when new.cve is null then ${IS_WHOLE_LIST[catalogue]}::boolean
               when old.cve is null then true
               else new.value -> ${decisive} <> old.value -> ${decisive} end`.execute(trx);
  await sql`analyze catalogue_delta`.execute(trx);
}

async function countDelta(trx: Transaction<Schema>): Promise<CatalogueChanges> {
  const { rows } = await sql<CatalogueChanges>`
    select count(*) filter (where old_row is null) as added,
           count(*) filter (where old_row is not null and value is not null) as changed,
           count(*) filter (where value is null) as removed
    from catalogue_delta`.execute(trx);
  return rows[0]!;
}

/** Closes and opens the rows of `PIECE_ROWS` CVEs, behind so many that were done. */
async function applyPiece(
  trx: Transaction<Schema>,
  catalogue: CatalogueKind,
  from: number,
  after: number,
): Promise<void> {
  const piece = sql`d.no > ${after}::bigint and d.no <= ${after + PIECE_ROWS}::bigint`;
  // By their places: the planner knows too little of rows that are new, and would compare each with each.
  await sql`
    update catalogue_rows old set valid_to = ${instant(from)}
    from catalogue_delta d
    where ${piece} and old.ctid = d.old_row`.execute(trx);
  await sql`
    insert into catalogue_rows (catalogue, cve, value, valid_from)
    select ${catalogue}, d.cve, d.value, ${instant(from)} from catalogue_delta d
    where ${piece} and d.value is not null`.execute(trx);
}
