import { type Kysely, type SqlBool, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { Finding, posture2 } from '#libs/domain';
import { isPageFull, upToPageBytes, type WeighedRow } from '#libs/tables';
import { FollowedPasts } from './followed-pasts.ts';
import type { ReadingInstant } from './reading-instant.ts';

/** Rows in memory at a time. */
const ROWS_MAX = 500;

interface FindingKey {
  assetNo: number;
  findingNo: number;
}

interface ChangeRow extends WeighedRow, FindingKey {
  at: number;
  sequence: number;
  finding: Finding;
}

export const keyOf = ({ assetNo, findingNo }: FindingKey): string => `${assetNo} ${findingNo}`;

/** The pasts of findings as of an instant, by `keyOf`: all of their changes until then are read. */
export async function readPasts(
  db: Kysely<Schema>,
  findings: readonly FindingKey[],
  { at, isPast }: ReadingInstant,
): Promise<Map<string, posture2.FollowedPast>> {
  const pasts = new Map<string, posture2.FollowedPast>();
  if (findings.length === 0) return pasts;
  const followed = new FollowedPasts();
  const isKnown = isPast ? sql<SqlBool>`h.at <= ${instant(at)}` : sql<SqlBool>`true`;
  for (let after = [-1, 0, 0]; ; ) {
    const wide = sql`
      select row_number() over (order by h.asset_no, h.finding_no, h.sequence) as place, h.asset_no as "assetNo",
             h.finding_no as "findingNo", h.sequence, h.at, h.body as finding
      from unnest(
        ${findings.map(({ assetNo }) => assetNo)}::bigint[], ${findings.map(({ findingNo }) => findingNo)}::integer[]
      ) t (asset_no, finding_no)
      join findings f using (asset_no, finding_no)
      join finding_history h
        on h.asset_no = t.asset_no and h.finding_no = t.finding_no and h.partition = f.partition
      where (h.asset_no, h.finding_no, h.sequence) > (${after[0]}::bigint, ${after[1]}::integer, ${after[2]}::bigint)
        and ${isKnown}
      order by h.asset_no, h.finding_no, h.sequence limit ${ROWS_MAX}`;
    const { rows } = await upToPageBytes<ChangeRow>(wide).execute(db);
    for (const row of rows) pasts.set(keyOf(row), followed.next(keyOf(row), row.finding, row.at));
    if (!isPageFull(rows, ROWS_MAX)) return pasts;
    const last = rows.at(-1)!;
    after = [last.assetNo, last.findingNo, last.sequence];
  }
}
