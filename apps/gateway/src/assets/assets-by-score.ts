import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { likelihoodColumns, type StoredLikelihoods } from '../scores/stored-likelihoods.ts';
import { type AssetConditions, assetConditions } from './asset-conditions.ts';
import type { ListedAssetRow } from './asset-row.ts';

/** The start of a page: after an asset in the order of scores. */
export interface ScorePlace {
  /** Hundredths; −1 if it has none. */
  rank: number;
  assetNo: number;
}

export interface AssetByScore extends ListedAssetRow, StoredLikelihoods {
  /** Millionths, of posture-1. */
  likelihood: number | null;
  /** Null if it has not been scored yet. */
  model: string | null;
  /** Start of the current score and groups, in epoch milliseconds; null if it has not been scored yet. */
  since: number | null;
}

const UNSCORED_RANK = -1;

/**
 * Live assets after a position: the greatest score first, none last, the earliest of equals first; or in reverse order.
 */
export async function listByScore(
  db: Kysely<Schema>,
  conditions: AssetConditions,
  { after, isDescending }: { after: ScorePlace | null; isDescending: boolean },
  limit: number,
): Promise<AssetByScore[]> {
  const { scored, ...filter } = conditions.filter;
  const wanted = stretchesBehind(after, isDescending).filter(
    ({ isScored }) => scored === undefined || isScored === (scored === 'true'),
  );
  const rows: AssetByScore[] = [];
  for (const stretch of wanted) {
    if (rows.length === limit) break;
    rows.push(...(await read(db, { ...conditions, filter }, stretch, limit - rows.length)));
  }
  return rows;
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

async function read(
  db: Kysely<Schema>,
  conditions: AssetConditions,
  { where, order }: Stretch,
  limit: number,
): Promise<AssetByScore[]> {
  const { rows } = await sql<AssetByScore>`
    select a.asset_no as "assetNo", a.state as asset, s.last_seen as "lastSeen", r.score, r.likelihood,
           ${likelihoodColumns('r')}, r.model,
           coalesce(r.score, ${UNSCORED_RANK})::text as "sortKey",
           r.scored_at as since
    from assets a join asset_seen s using (partition, asset_no)
    left join asset_scores r using (partition, asset_no)
    where ${sql.join([...assetConditions(conditions), where], sql` and `)}
    order by ${order} limit ${limit}`.execute(db);
  return rows;
}
