import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant, READ_DATABASE, type Schema } from '#libs/database';
import { isVisible, type RowLimits } from '#libs/tables';
import { listByScore, type ScorePlace } from '../assets/assets-by-score.ts';
import { GROUP_COLUMNS, type GroupKind, heldAt } from './score-groups.ts';
import type { AssetScoresQuery } from './scores.dto.ts';
import { likelihoodColumns, type StoredLikelihoods } from './stored-likelihoods.ts';

/** An asset in the order of scores: the greatest first, none last, then by number. */
export interface RankedAsset extends StoredLikelihoods {
  assetNo: number;
  id: string;
  name: string;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
  criticality: string | null;
  /** Hundredths. */
  score: number | null;
  /** Millionths, of posture-1. */
  likelihood: number | null;
  /** Null if it was not looked at yet. */
  model: string | null;
  /** Epoch milliseconds. */
  since: number | null;
}

export type RankingFilter = Pick<AssetScoresQuery, GroupKind | 'criticality' | 'scored'> & {
  /** That the caller may see. */
  rows: RowLimits;
};

const GROUP_KINDS = Object.keys(GROUP_COLUMNS) as GroupKind[];

@Injectable()
export class RankedAssetsRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  present(
    { rows: visible, ...filter }: RankingFilter,
    after: ScorePlace | null,
    limit: number,
  ): Promise<RankedAsset[]> {
    const order = { after, isDescending: true };
    const conditions = { rows: visible, filter, customFields: {} };
    return listByScore(
      this.db,
      conditions,
      order,
      limit,
      (page) => sql<RankedAsset>`
        select a.asset_no as "assetNo", a.id, a.name, a.type, a.attack_surface as "attackSurface", a.department,
               a.location, a.criticality, r.score, r.likelihood, ${likelihoodColumns('r')}, r.model,
               r.scored_at as since ${page}`,
    );
  }

  /** As of an instant, in epoch milliseconds: all assets of that time are read. */
  async past(
    filter: RankingFilter,
    at: number,
    after: ScorePlace | null,
    limit: number,
  ): Promise<RankedAsset[]> {
    const { rows } = await sql<RankedAsset>`
      select h.asset_no as "assetNo", a.id, coalesce(${stateAt('a', at)} ->> 'name', a.name) as name, h.type,
             h.attack_surface as "attackSurface", h.department, h.location,
             ${stateAt('a', at)} ->> 'criticality' as criticality, h.score, h.likelihood,
             ${likelihoodColumns('h')}, h.model, h.valid_from as since
      from (
        select * from score_history h where ${sql.join(conditionsOf(filter, at, after), sql` and `)}
        order by score desc nulls last, asset_no limit ${limit}
      ) h join assets a using (partition, asset_no)
      order by h.score desc nulls last, h.asset_no`.execute(this.db);
    return rows;
  }
}

function conditionsOf(filter: RankingFilter, at: number, after: ScorePlace | null): RawBuilder<SqlBool>[] {
  const { rows, criticality, scored } = filter;
  const conditions = [heldAt(at), ...isVisible(rows, GROUP_COLUMNS)];
  for (const kind of GROUP_KINDS) {
    if (filter[kind] !== undefined) conditions.push(sql`${GROUP_COLUMNS[kind]} = ${filter[kind]}`);
  }
  if (criticality !== undefined) conditions.push(sql`${stateAt('h', at)} ->> 'criticality' = ${criticality}`);
  if (scored !== undefined) conditions.push(scored === 'true' ? sql`score is not null` : sql`score is null`);
  if (after) {
    const { rank, assetNo } = after;
    conditions.push(
      sql`(coalesce(score, -1) < ${rank} or (coalesce(score, -1) = ${rank} and asset_no > ${assetNo}))`,
    );
  }
  return conditions;
}

/** The asset of a row, by its alias, as it was at an instant. */
const stateAt = (row: 'a' | 'h', at: number) => sql`
  (select state from asset_history
    where asset_no = ${sql.ref(`${row}.asset_no`)} and partition = ${sql.ref(`${row}.partition`)}
      and at <= ${instant(at)}
    order by sequence desc limit 1)`;
