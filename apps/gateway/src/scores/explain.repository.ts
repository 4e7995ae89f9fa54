import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { RiskSum } from '#libs/domain';
import { type AssetGroup, isInGroup, waitingAssets } from '#libs/scores';
import { FOURTH_POWERS, heldAt } from './score-groups.ts';

/** From one instant until another, in epoch milliseconds. */
export interface Span {
  from: number;
  to: number;
}

interface SumColumns {
  assets: number;
  scoredAssets: number;
  fourthPowers: string;
  likelihood: number;
}

/** Which assets may have moved a score, and what the others come to. */
@Injectable()
export class ExplainRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Numbers of the assets that something happened to after `from`, until `to`: they or their findings changed, or
   * their score or their groups did, also where by expiry or a catalogue alone. Those too that wait to be scored.
   */
  async movedAssets({ from, to }: Span): Promise<number[]> {
    const within = (column: string) =>
      sql<SqlBool>`${sql.ref(column)} > ${instant(from)} and ${sql.ref(column)} <= ${instant(to)}`;
    const changed = (table: 'asset' | 'finding') => sql`
      select h.asset_no from (${rangesOf(table, { from, to })}) r
      join ${sql.table(`${table}_history`)} h
        on h.partition = r.partition and h.sequence > r.after and h.sequence <= r.until`;
    const { rows } = await sql<{ assetNos: number[] }>`
      select coalesce(array_agg(asset_no::float8), '{}') as "assetNos" from (
        select asset_no from score_history where ${within('valid_from')}
        union select asset_no from score_history where ${within('valid_to')}
        union ${changed('asset')}
        union ${changed('finding')}
        union ${waitingAssets(to)}) moved`.execute(this.db);
    return rows[0]!.assetNos;
  }

  /** What the other assets of a group, or of the organization, came to at an instant. */
  async sumWithout(assetNos: number[], at: number, group?: AssetGroup): Promise<RiskSum> {
    const { rows } = await sql<SumColumns>`
      select count(*) as assets, count(score) as "scoredAssets", ${FOURTH_POWERS}::text as "fourthPowers",
             coalesce(sum(likelihood), 0) as likelihood
      from score_history h
      where ${heldAt(at)} and ${group ? isInGroup('h', group) : sql<SqlBool>`true`}
        and asset_no not in (select unnest(${assetNos}::bigint[]))`.execute(this.db);
    const { fourthPowers, ...sum } = rows[0]!;
    return { ...sum, fourthPowers: BigInt(fourthPowers) };
  }
}

/**
 * Which sequences of a history lie in a span, partition by partition, as (partition, after, until). No index has their
 * times: they rise with the sequence, so that each end is found by halving.
 */
const rangesOf = (table: 'asset' | 'finding', { from, to }: Span) => sql`
  select a.partition, a.last as after, b.last as until
  from (${lastUntil(table, from)}) a join (${lastUntil(table, to)}) b using (partition)`;

const lastUntil = (table: 'asset' | 'finding', at: number) => sql`
  with recursive halving (partition, low, high) as (
    select partition, 0::bigint, ${sql.ref(`${table}_sequence`)} + 1 from projection_positions
    union all
    select s.partition, case when is_until then middle else low end, case when is_until then high else middle end
    from halving s
    cross join lateral (select (s.low + s.high) / 2 as middle) m
    cross join lateral (
      select coalesce((
        select h.at <= ${instant(at)} from ${sql.table(`${table}_history`)} h
        where h.partition = s.partition and h.sequence = middle), true) as is_until) u
    where s.high - s.low > 1
  )
  select partition, low as last from halving where high - low <= 1`;
