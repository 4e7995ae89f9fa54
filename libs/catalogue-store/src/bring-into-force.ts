import { type Kysely, sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { IS_WHOLE_LIST } from './whole-list.ts';

/** Numbers of CVEs, or of techniques, that an import changed. */
export interface CatalogueChanges {
  added: number;
  changed: number;
  removed: number;
}

/** When an import begins to count, in epoch milliseconds. */
export interface ImportInstants {
  /** Time of its event. */
  at: number;
  /** Instant before the event from which on it is to count; null: from its event on. */
  effectiveFrom?: number | null;
}

/** CVEs per statement, because a statement has a limit of 60 s. */
const PIECE_ROWS = 50_000;

/**
 * Brings the staged rows of an import into force, in one transaction, from the instant of its event. If the catalogue's
 * last import is not older, they are in force from the millisecond after it. An import with an earlier effective instant
 * counts from there until the next import of the catalogue; of a list that can be partial, until the next change of each
 * CVE. If another import begins at that instant, it counts from the first free millisecond after it.
 * `markRescorings` must follow.
 * @returns false if it is in force already, or unknown
 */
export const bringIntoForce = (
  db: Kysely<Schema>,
  importId: string,
  instants: ImportInstants,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('catalogue_imports')
      .select(['catalogue', 'valid_from'])
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirst();
    if (!found || found.valid_from !== null) return false;
    const { catalogue } = found;
    const period = await periodOf(trx, catalogue, instants);
    await findDelta(trx, importId, catalogue, period);
    const changes = await countDelta(trx);
    const rows = changes.added + changes.changed + changes.removed;
    for (let after = 0; after < rows; after += PIECE_ROWS) {
      await applyPiece(trx, catalogue, period, after);
    }
    await sql`delete from catalogue_staged where import_id = ${importId}`.execute(trx);
    await trx
      .updateTable('catalogue_imports')
      .set({ valid_from: new Date(period.from), ...changes, marking_from: rows > 0 ? 0 : null })
      .where('id', '=', importId)
      .execute();
    return true;
  });

/** From when on an import counts, and when the next one of its catalogue begins; null: there is none. */
interface Period {
  from: number;
  next: number | null;
}

async function periodOf(
  trx: Transaction<Schema>,
  catalogue: CatalogueKind,
  { at, effectiveFrom = null }: ImportInstants,
): Promise<Period> {
  const wanted = Math.min(effectiveFrom ?? at, at);
  const rows = await trx
    .selectFrom('catalogue_imports')
    .select((of) => of.ref('valid_from').$notNull().as('from'))
    .where('catalogue', '=', catalogue)
    .where('valid_from', '>=', instant(wanted))
    .orderBy('valid_from')
    .execute();
  const taken = rows.map(({ from }) => from);
  if (effectiveFrom === null) return { from: Math.max(wanted, (taken.at(-1) ?? wanted - 1) + 1), next: null };
  let from = wanted;
  for (const one of taken) if (one === from) from += 1;
  return { from, next: taken.find((one) => one > from) ?? null };
}

/**
 * The CVEs of which something else is known from `from` on, with the row that says otherwise; `value` is null if nothing
 * is any more. The row ends at `until`, where `old_row` continues if its end, `old_to`, is later.
 */
async function findDelta(
  trx: Transaction<Schema>,
  importId: string,
  catalogue: CatalogueKind,
  { from, next }: Period,
) {
  await sql`
    create temporary table catalogue_delta (
      no bigint generated always as identity,
      cve text collate "C" not null, value jsonb, until timestamptz not null, old_row tid, old_to timestamptz
    ) on commit drop`.execute(trx);
  // What is in force has an index; rows of an earlier instant have none.
  const atFrom =
    next === null
      ? sql`valid_to = 'infinity'`
      : sql`valid_from < ${instant(from)} and valid_to > ${instant(from)}`;
  await sql`
    insert into catalogue_delta (cve, value, until, old_row, old_to)
    select coalesce(new.cve, old.cve), new.value, ${untilOf(catalogue, { from, next })}, old.ctid, old.valid_to
    from (select cve, value from catalogue_staged where import_id = ${importId}) new
    full join (
      select ctid, cve, value, valid_to from catalogue_rows where catalogue = ${catalogue} and ${atFrom}
    ) old on old.cve = new.cve
    where case when new.cve is null then ${IS_WHOLE_LIST[catalogue]}::boolean
               when old.cve is null then true
               else ${isOther(catalogue)} end`.execute(trx);
  await sql`analyze catalogue_delta`.execute(trx);
}

/** SQL of the end of a new row. The next import of a whole list ends all rows; other imports end the rows that they change. */
function untilOf(catalogue: CatalogueKind, { from, next }: Period) {
  if (next === null) return sql`'infinity'::timestamptz`;
  if (IS_WHOLE_LIST[catalogue]) return instant(next);
  return sql`coalesce(old.valid_to, (
    select min(later.valid_from) from catalogue_rows later
    where later.cve = new.cve and later.catalogue = ${catalogue} and later.valid_from > ${instant(from)}
  ), 'infinity')`;
}

/**
 * Whether a row says something else. Of a forecast only the probability counts, so that its day is the first day of its
 * validity.
 */
const isOther = (catalogue: CatalogueKind) =>
  catalogue === 'epss'
    ? sql`new.value -> 'probability' <> old.value -> 'probability'`
    : sql`new.value <> old.value`;

async function countDelta(trx: Transaction<Schema>): Promise<CatalogueChanges> {
  const { rows } = await sql<CatalogueChanges>`
    select count(*) filter (where old_row is null) as added,
           count(*) filter (where old_row is not null and value is not null) as changed,
           count(*) filter (where value is null) as removed
    from catalogue_delta`.execute(trx);
  return rows[0]!;
}

/** Closes and opens the rows of the next `PIECE_ROWS` CVEs. @param after number of CVEs already processed */
async function applyPiece(
  trx: Transaction<Schema>,
  catalogue: CatalogueKind,
  { from, next }: Period,
  after: number,
): Promise<void> {
  const piece = sql`d.no > ${after}::bigint and d.no <= ${after + PIECE_ROWS}::bigint`;
  // By their places: the planner knows too little of rows that are new, and would compare each with each.
  await sql`
    update catalogue_rows old set valid_to = ${instant(from)}
    from catalogue_delta d
    where ${piece} and old.ctid = d.old_row`.execute(trx);
  await sql`
    insert into catalogue_rows (catalogue, cve, value, valid_from, valid_to)
    select ${catalogue}, d.cve, d.value, ${instant(from)}, d.until from catalogue_delta d
    where ${piece} and d.value is not null`.execute(trx);
  if (next === null) return;
  await sql`
    insert into catalogue_rows (catalogue, cve, value, valid_from, valid_to)
    select ${catalogue}, d.cve, old.value, d.until, d.old_to
    from catalogue_delta d
    join catalogue_rows old on old.cve = d.cve and old.catalogue = ${catalogue} and old.valid_to = ${instant(from)}
    where ${piece} and d.old_to > d.until`.execute(trx);
}
