import { type Kysely, sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';

/** Findings in one transaction; the last asset can exceed it. */
const FINDINGS_MAX = 50_000;
const LAST_ASSET = Number.MAX_SAFE_INTEGER;

/** Assets by their numbers, both ends included. */
interface Piece {
  first: number;
  last: number;
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
export const markRescorings = (
  db: Kysely<Schema>,
  importId: string,
  findingsMax = FINDINGS_MAX,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('catalogue_imports')
      .select(['catalogue', 'valid_from', 'marking_from'])
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirst();
    if (found?.marking_from == null) return false;
    const piece = await nextPiece(trx, found.marking_from, findingsMax);
    await markPiece(trx, piece, found.catalogue, found.valid_from!);
    const isLeft = piece.last !== LAST_ASSET;
    await trx
      .updateTable('catalogue_imports')
      .set({ marking_from: isLeft ? piece.last + 1 : null })
      .where('id', '=', importId)
      .execute();
    return isLeft;
  });

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
  { first, last }: Piece,
  catalogue: CatalogueKind,
  since: number,
): Promise<void> {
  if (catalogue === 'attack') return markAll(trx, { first, last }, since);
  const changed = await changesSince(trx, since);
  // `offset 0` forces single look-ups instead of a full scan.
  await sql`
    with changed as materialized (
      select distinct h.partition, h.asset_no, h.finding_no
      from unnest(${changed.map(({ partition }) => partition)}::integer[],
                  ${changed.map(({ behind }) => behind)}::bigint[]) as t (partition, behind)
      cross join lateral (
        select partition, asset_no, finding_no from finding_history h
        where h.partition = t.partition and h.sequence > t.behind
          and h.asset_no between ${first}::bigint and ${last}::bigint offset 0
      ) h
    ), named as materialized (
      select asset_no, cve from findings, unnest(cves) as cve
      where asset_no between ${first}::bigint and ${last}::bigint
      union
      select c.asset_no, cve #>> '{}'
      from changed c, lateral (
        select h.body from finding_history h
        where h.asset_no = c.asset_no and h.finding_no = c.finding_no and h.partition = c.partition offset 0
      ) h, jsonb_path_query(h.body::jsonb, '$.instances[*].cves[*]') as cve
    ), touched as materialized (
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
async function changesSince(
  trx: Transaction<Schema>,
  at: number,
): Promise<{ partition: number; behind: number }[]> {
  const { rows } = await sql<{ partition: number; behind: number }>`
    select p.partition, coalesce((
      select h.sequence from finding_history h
      where h.partition = p.partition and h.at < ${instant(at)}
      order by h.sequence desc limit 1), 0) as behind
    from projection_positions p`.execute(trx);
  return rows;
}
