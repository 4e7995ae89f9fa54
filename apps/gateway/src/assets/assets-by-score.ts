import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { isPageFull, type WeighedRow } from '#libs/tables';
import { type AssetConditions, assetConditions } from './asset-conditions.ts';

/** The start of a page: after an asset in the order of scores. */
export interface ScorePlace {
  /** Hundredths; −1 if it has none. */
  rank: number;
  assetNo: number;
}

const UNSCORED_RANK = -1;

/**
 * Live assets after a position: the greatest score first, none last, the earliest of equals first; or in reverse order.
 * @param select the columns of rows of `assets` a, `asset_seen` s and, null without a score, `asset_scores` r; it may
 *   leave fewer rows, as `upToPageBytes`: of each of three stretches at most
 */
export async function listByScore<Row extends { assetNo: number } & Partial<WeighedRow>>(
  db: Kysely<Schema>,
  conditions: AssetConditions,
  { after, isDescending }: { after: ScorePlace | null; isDescending: boolean },
  limit: number,
  select: (page: RawBuilder<unknown>) => RawBuilder<Row>,
): Promise<Row[]> {
  const { scored, ...filter } = conditions.filter;
  const wanted = stretchesBehind(after, isDescending).filter(
    ({ isScored }) => scored === undefined || isScored === (scored === 'true'),
  );
  const listed: Row[] = [];
  for (const { where, order } of wanted) {
    const left = limit - listed.length;
    const { rows } = await select(sql`
      from assets a join asset_seen s using (partition, asset_no)
      left join asset_scores r using (partition, asset_no)
      where ${sql.join([...assetConditions({ ...conditions, filter }), where], sql` and `)}
      order by ${order} limit ${left}`).execute(db);
    listed.push(...rows);
    if (isPageFull(rows, left)) break;
  }
  return listed;
}

/** A part of the order that an index can be read along: of `asset_scores` by score, or of assets by number. */
interface Stretch {
  isScored: boolean;
  where: RawBuilder<SqlBool>;
  order: RawBuilder<unknown>;
}

function stretchesBehind(after: ScorePlace | null, isDescending: boolean): Stretch[] {
  const scored = scoredStretches(after, isDescending);
  const unscored = unscoredStretch(after, isDescending);
  if (!after) return isDescending ? [...scored, unscored] : [unscored, ...scored];
  if (after.rank === UNSCORED_RANK) return isDescending ? [unscored] : [unscored, ...scored];
  return isDescending ? [...scored, unscored] : scored;
}

function scoredStretches(after: ScorePlace | null, isDescending: boolean): Stretch[] {
  const order = isDescending
    ? sql`r.score desc nulls last, r.asset_no`
    : sql`r.score nulls first, r.asset_no desc`;
  if (!after || after.rank === UNSCORED_RANK) {
    return [{ isScored: true, where: sql`r.score is not null`, order }];
  }
  const farther = sql.raw(isDescending ? '<' : '>');
  return [
    {
      isScored: true,
      where: sql`r.score = ${after.rank} and ${beyond(after, isDescending)}`,
      order: byNumber(isDescending),
    },
    { isScored: true, where: sql`r.score ${farther} ${after.rank}`, order },
  ];
}

function unscoredStretch(after: ScorePlace | null, isDescending: boolean): Stretch {
  const isWithin = after?.rank === UNSCORED_RANK;
  const where = isWithin
    ? sql<SqlBool>`r.score is null and ${beyond(after, isDescending)}`
    : sql<SqlBool>`r.score is null`;
  return { isScored: false, where, order: byNumber(isDescending) };
}

const byNumber = (isDescending: boolean) => (isDescending ? sql`a.asset_no` : sql`a.asset_no desc`);

const beyond = ({ assetNo }: ScorePlace, isDescending: boolean) =>
  sql`a.asset_no ${sql.raw(isDescending ? '>' : '<')} ${assetNo}::bigint`;
