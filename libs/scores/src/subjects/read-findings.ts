import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type Finding, NEVER_ENDS, posture2 } from '#libs/domain';
import { changeAt, isPageFull, lastSeenAt, upToPageBytes, type WeighedRow } from '#libs/tables';
import { keyOf, readPasts } from './read-pasts.ts';
import type { ReadingInstant } from './reading-instant.ts';

/** Rows in memory at a time. */
const ROWS_MAX = 2_000;

export interface FindingsOptions {
  /** Also Retired findings, to report why they ended. Default: false. */
  withRetired?: boolean;
  /** Also what only posture-2 requires: retired controls, and the earlier changes of findings that depend on them. */
  withPast?: boolean;
}

/** Findings of these assets with a CVE or a technique, by asset number: others never count (R-SCORE-1). */
export const readFindings = (
  db: Kysely<Schema>,
  assetNos: readonly number[],
  instant: ReadingInstant,
  options: FindingsOptions = {},
): Promise<Map<number, posture2.AssessedFinding[]>> =>
  instant.isPast
    ? pastFindings(db, assetNos, instant, options)
    : presentFindings(db, assetNos, instant, options);

interface FindingRow extends WeighedRow {
  assetNo: number;
  findingNo: number;
  finding: Finding;
}

interface PresentRow extends FindingRow {
  activeUntil: number;
}

const presentFindings = (
  db: Kysely<Schema>,
  assetNos: readonly number[],
  instant: ReadingInstant,
  options: FindingsOptions,
) =>
  gather<PresentRow>(
    db,
    (after) =>
      sql`
        select row_number() over (order by f.asset_no, f.finding_no) as place,
               f.asset_no as "assetNo", f.finding_no as "findingNo", f.body as finding,
               (extract(epoch from least(s.expires_at, s.retain_until)) * 1000)::float8 as "activeUntil"
        from findings f join finding_seen s using (partition, asset_no, finding_no)
        where ${isNext(assetNos, after)} and ${isWanted(sql<SqlBool>`f.state <> 'Retired'`, options)}
          and (f.cves <> '{}' or f.techniques <> '{}')
        order by f.asset_no, f.finding_no limit ${ROWS_MAX}`,
    (rows) => pastsOf(db, rows, instant, options),
    ({ finding, activeUntil }, past) =>
      posture2.assessedFindingOf(finding, { expiresAt: activeUntil, retainUntil: activeUntil }, past),
  );

interface PastRow extends FindingRow {
  isRetired: boolean;
}

/** Reads all findings, because mappings may have changed since, and skips findings that had no mapping. */
const pastFindings = (
  db: Kysely<Schema>,
  assetNos: readonly number[],
  instant: ReadingInstant,
  options: FindingsOptions,
) =>
  gather<PastRow>(
    db,
    (after) =>
      sql`
        select row_number() over (order by f.asset_no, f.finding_no) as place,
               f.asset_no as "assetNo", f.finding_no as "findingNo", h.body as finding,
               h.to_state = 'Retired' or s.fell_due is not null as "isRetired"
        from findings f
        cross join lateral ${changeAt(instant.at)} h
        cross join lateral ${lastSeenAt(instant.at)} s
        where ${isNext(assetNos, after)}
          and ${isWanted(sql<SqlBool>`h.to_state <> 'Retired' and s.fell_due is null`, options)}
        order by f.asset_no, f.finding_no limit ${ROWS_MAX}`,
    (rows) => pastsOf(db, rows, instant, options),
    ({ finding, isRetired }, past) => ({
      ...posture2.assessedFindingOf(finding, NEVER_ENDS, past),
      ...(isRetired && { state: 'Retired' as const }),
    }),
  );

const isWanted = (
  isActive: RawBuilder<SqlBool>,
  { withRetired = false, withPast = false }: FindingsOptions,
) => sql<SqlBool>`(${withRetired} or (${isActive}) or (${withPast} and f.type in ('ca', 'uba')))`;

const isNext = (assetNos: readonly number[], [assetNo, findingNo]: [number, number]) => sql<SqlBool>`
  f.asset_no = any(${assetNos}::bigint[]) and (f.asset_no, f.finding_no) > (${assetNo}::bigint, ${findingNo}::int)`;

type Pasts = Map<string, posture2.FollowedPast>;

/** Reads the pasts of the findings that depend on them. */
function pastsOf(
  db: Kysely<Schema>,
  rows: readonly FindingRow[],
  instant: ReadingInstant,
  { withPast = false }: FindingsOptions,
): Promise<Pasts> {
  const isFollowed = ({ finding }: FindingRow) => finding.version > 1 && posture2.dependsOnPast(finding);
  return readPasts(db, withPast ? rows.filter(isFollowed) : [], instant);
}

/** Page by page, in the order of their numbers. */
async function gather<R extends FindingRow>(
  db: Kysely<Schema>,
  wideBehind: (after: [number, number]) => RawBuilder<unknown>,
  readPastsOf: (rows: readonly R[]) => Promise<Pasts>,
  factsOf: (row: R, past: posture2.FollowedPast) => posture2.AssessedFinding,
): Promise<Map<number, posture2.AssessedFinding[]>> {
  const byAsset = new Map<number, posture2.AssessedFinding[]>();
  for (let after: [number, number] = [-1, 0]; ; ) {
    const { rows } = await upToPageBytes<R>(wideBehind(after)).execute(db);
    const pasts = await readPastsOf(rows);
    for (const row of rows) {
      const { finding } = row;
      const facts = factsOf(
        row,
        pasts.get(keyOf(row)) ?? posture2.pastWith(null, finding, finding.updatedAt),
      );
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
