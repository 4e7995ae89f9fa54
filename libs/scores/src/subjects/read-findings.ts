import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isPageFull, type Schema, upToPageBytes, type WeighedRow } from '#libs/database';
import { type Finding, type FindingFacts, findingFactsOf } from '#libs/domain';
import { changeAt, fellDueAt, LAST_SEEN } from '#libs/projection';
import type { ReadingInstant } from './reading-instant.ts';

/** Rows in memory at a time. */
const ROWS_MAX = 2_000;

/** What was active at a past instant; when it ends is not asked of it any more. */
const NEVER = { expiresAt: Number.POSITIVE_INFINITY, retainUntil: Number.POSITIVE_INFINITY };

export interface FindingsOptions {
  /** Those that are retired, too: so that it can be said what became of them. */
  withRetired?: boolean;
}

/** Findings of these assets that carry a CVE or a technique, by asset number: others never count (D22). */
export function readFindings(
  db: Kysely<Schema>,
  assetNos: readonly number[],
  { at, isPast }: ReadingInstant,
  { withRetired = false }: FindingsOptions = {},
): Promise<Map<number, FindingFacts[]>> {
  return isPast ? pastFindings(db, assetNos, at, withRetired) : presentFindings(db, assetNos, withRetired);
}

interface FindingRow extends WeighedRow {
  assetNo: number;
  findingNo: number;
  finding: Finding;
}

interface PresentRow extends FindingRow {
  activeUntil: number;
}

const presentFindings = (db: Kysely<Schema>, assetNos: readonly number[], withRetired: boolean) =>
  gather<PresentRow>(
    db,
    (after) =>
      sql`
        select row_number() over (order by f.asset_no, f.finding_no) as place,
               f.asset_no as "assetNo", f.finding_no as "findingNo", f.body as finding,
               (extract(epoch from least(s.expires_at, s.retain_until)) * 1000)::float8 as "activeUntil"
        from findings f join finding_seen s using (asset_no, finding_no)
        where ${isNext(assetNos, after)} and ${withRetired ? EVERY : sql<SqlBool>`f.state <> 'Retired'`}
          and (f.cves <> '{}' or f.techniques <> '{}')
        order by f.asset_no, f.finding_no limit ${ROWS_MAX}`,
    ({ finding, activeUntil }) =>
      findingFactsOf(finding, { expiresAt: activeUntil, retainUntil: activeUntil }),
  );

interface PastRow extends FindingRow {
  isRetired: boolean;
}

/** Their mappings may have been others than they are today: all are read, and those without any left out. */
const pastFindings = (db: Kysely<Schema>, assetNos: readonly number[], at: number, withRetired: boolean) =>
  gather<PastRow>(
    db,
    (after) =>
      sql`
        select row_number() over (order by f.asset_no, f.finding_no) as place,
               f.asset_no as "assetNo", f.finding_no as "findingNo", h.body as finding,
               h.to_state = 'Retired' or due.reason is not null as "isRetired"
        from findings f
        cross join lateral ${LAST_SEEN} s
        cross join lateral ${changeAt(at)} h
        cross join lateral ${fellDueAt(at)} due
        where ${isNext(assetNos, after)}
          and ${withRetired ? EVERY : sql<SqlBool>`h.to_state <> 'Retired' and due.reason is null`}
        order by f.asset_no, f.finding_no limit ${ROWS_MAX}`,
    ({ finding, isRetired }) => ({
      ...findingFactsOf(finding, NEVER),
      ...(isRetired && { state: 'Retired' as const }),
    }),
  );

const EVERY = sql<SqlBool>`true`;

const isNext = (assetNos: readonly number[], [assetNo, findingNo]: [number, number]) => sql<SqlBool>`
  f.asset_no = any(${assetNos}::bigint[]) and (f.asset_no, f.finding_no) > (${assetNo}::bigint, ${findingNo}::int)`;

/** Page by page, in the order of their numbers. */
async function gather<R extends FindingRow>(
  db: Kysely<Schema>,
  wideBehind: (after: [number, number]) => RawBuilder<unknown>,
  factsOf: (row: R) => FindingFacts,
): Promise<Map<number, FindingFacts[]>> {
  const byAsset = new Map<number, FindingFacts[]>();
  for (let after: [number, number] = [-1, 0]; ; ) {
    const { rows } = await upToPageBytes<R>(wideBehind(after)).execute(db);
    for (const row of rows) {
      const facts = factsOf(row);
      if (facts.cves.length + facts.techniques.length === 0) continue;
      const known = byAsset.get(row.assetNo);
      if (known) known.push(facts);
      else byAsset.set(row.assetNo, [facts]);
    }
    if (!isPageFull(rows, ROWS_MAX)) return byAsset;
    const { assetNo, findingNo } = rows.at(-1)!;
    after = [assetNo, findingNo];
  }
}
