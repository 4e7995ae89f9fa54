import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { instant, isDivided, isStatementTimeout, type Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';

/** Findings in one transaction; the last asset can exceed it. */
const FINDINGS_MAX = 50_000;
const LAST_ASSET = Number.MAX_SAFE_INTEGER;

/** Assets by their numbers, both ends included. */
interface Piece {
  first: number;
  last: number;
}

/** Calls `markRescorings` until it returns false; with half as many findings each time that a statement takes too long. */
export async function markAllRescorings(db: Kysely<Schema>, importId: string): Promise<void> {
  let findingsMax = FINDINGS_MAX;
  for (let isLeft = true; isLeft; ) {
    try {
      isLeft = await markRescorings(db, importId, findingsMax);
    } catch (error) {
      if (!isStatementTimeout(error) || findingsMax === 1) throw error;
      findingsMax = Math.ceil(findingsMax / 2);
    }
  }
}

/**
 * Marks the next assets that an import touches to be scored again from its instant on: those with a finding that names
 * a CVE whose data the import changes, now or, if the finding has changed since the instant, at any time; after an import
 * of ATT&CK all assets, since mitigations relate techniques that no finding names. Must be
 * called after the import is in force, until it returns false; a failed call is repeated, and several processes may
 * call it at once.
 *
 * No scorer needs to wait for it. A scorer that uses the previous rows began before the import came into force, so this
 * call sees the same findings; and it does not see the marks of this call, so it does not remove them.
 * @returns whether any are left
 */
export async function markRescorings(
  db: Kysely<Schema>,
  importId: string,
  findingsMax: number,
): Promise<boolean> {
  const divided = await isDivided(db);
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('catalogue_imports')
      .select(['catalogue', 'valid_from', 'marking_from'])
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirst();
    if (found?.marking_from == null) return false;
    const piece = await nextPiece(trx, found.marking_from, findingsMax);
    await markPiece(trx, piece, found.catalogue, found.valid_from!, divided);
    const isLeft = piece.last !== LAST_ASSET;
    await trx
      .updateTable('catalogue_imports')
      .set({ marking_from: isLeft ? piece.last + 1 : null })
      .where('id', '=', importId)
      .execute();
    return isLeft;
  });
}

async function nextPiece(trx: Transaction<Schema>, first: number, findingsMax: number): Promise<Piece> {
  const { rows } = await sql<{ findings: number; last: number | null }>`
    select count(*) as findings, max(asset_no) as last from (
      select asset_no from findings where asset_no >= ${first}::bigint order by asset_no limit ${findingsMax}
    ) findings`.execute(trx);
  const { findings, last } = rows[0]!;
  return { first, last: findings < findingsMax ? LAST_ASSET : last! };
}

async function markPiece(
  trx: Transaction<Schema>,
  piece: Piece,
  catalogue: CatalogueKind,
  since: number,
  divided: boolean,
): Promise<void> {
  if (catalogue === 'attack') return markAll(trx, piece, since);
  const changed = await changesSince(trx, since);
  await sql`
    with named as materialized (${divided ? namedOnEach(piece, changed) : named(piece, changed)}),
    touched as materialized (
      select c.cve from (select distinct cve from named) c, lateral (
        select from catalogue_rows r
        where r.cve = c.cve and r.catalogue = ${catalogue}
          and (r.valid_from = ${instant(since)} or r.valid_to = ${instant(since)})
        limit 1 offset 0
      ) r
    )
    insert into rescorings (partition, asset_no, since)
    select partition, asset_no, ${instant(since)} from assets
    where asset_no in (select asset_no from named join touched using (cve))
    order by partition, asset_no
    on conflict (partition, asset_no) do update set since = least(rescorings.since, excluded.since)`.execute(
    trx,
  );
}

/** Where the changes of a partition begin that are to be looked at. */
interface ChangesBehind {
  partition: number;
  behind: number;
}

/** The CVEs of assets, now and in the pasts of changed findings. `offset 0` forces single look-ups instead of a full scan. */
const named = ({ first, last }: Piece, changed: readonly ChangesBehind[]): RawBuilder<unknown> => sql`
  with changed as materialized (
    select distinct h.partition, h.asset_no, h.finding_no
    from ${beginnings(changed)}
    cross join lateral (
      select partition, asset_no, finding_no from finding_history h
      where h.partition = t.partition and h.sequence > t.behind
        and h.asset_no between ${first}::bigint and ${last}::bigint offset 0
    ) h
  )
  select asset_no, cve from findings, unnest(cves) as cve
  where asset_no between ${first}::bigint and ${last}::bigint
  union
  select c.asset_no, cve #>> '{}'
  from changed c, lateral (
    select h.body from finding_history h
    where h.asset_no = c.asset_no and h.finding_no = c.finding_no and h.partition = c.partition offset 0
  ) h, jsonb_path_query(h.body::jsonb, '$.instances[*].cves[*]') as cve`;

/** As `named`, in a database that is divided over machines (ADR-0144): each reads its partitions. */
const namedOnEach = ({ first, last }: Piece, changed: readonly ChangesBehind[]): RawBuilder<unknown> => sql`
  select asset_no, unnest(cves) as cve from findings
  where asset_no between ${first}::bigint and ${last}::bigint
  union
  select h.asset_no, jsonb_path_query(h.body::jsonb, '$.instances[*].cves[*]') #>> '{}'
  from (
    select distinct h.partition, h.asset_no, h.finding_no
    from ${beginnings(changed)}
    join finding_history h on h.partition = t.partition and h.sequence > t.behind
    where h.asset_no between ${first}::bigint and ${last}::bigint
  ) changed
  join finding_history h using (partition, asset_no, finding_no)`;

const beginnings = (changed: readonly ChangesBehind[]): RawBuilder<unknown> => sql`
  unnest(${changed.map(({ partition }) => partition)}::integer[],
         ${changed.map(({ behind }) => behind)}::bigint[]) as t (partition, behind)`;

async function markAll(trx: Transaction<Schema>, { first, last }: Piece, since: number): Promise<void> {
  await sql`
    insert into rescorings (partition, asset_no, since)
    select partition, asset_no, ${instant(since)} from assets
    where asset_no between ${first}::bigint and ${last}::bigint
    order by partition, asset_no
    on conflict (partition, asset_no) do update set since = least(rescorings.since, excluded.since)`.execute(
    trx,
  );
}

/** Of each partition the last sequence before an instant: its changes are in the order of their times. Behind it mostly few. */
async function changesSince(trx: Transaction<Schema>, at: number): Promise<ChangesBehind[]> {
  const { rows } = await sql<ChangesBehind>`
    select p.partition, coalesce((
      select h.sequence from finding_history h
      where h.partition = p.partition and h.at < ${instant(at)}
      order by h.sequence desc limit 1), 0) as behind
    from projection_positions p`.execute(trx);
  return rows;
}
