import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { type ChoiceTimeline, DEFAULT_CHOICES, firstDifference } from '#libs/domain';
import { type AssetGroup, isInGroup, type ScoreSums, waitingAssets } from '#libs/scores';
import { historyRanges, type Span } from './history-ranges.ts';
import { heldAt } from './score-groups.ts';
import { SUM_COLUMNS, SUMS_OF_ASSETS, type SumColumns, scoreSums } from './sum-columns.ts';

/** The assets that may have moved a score, and the sum of the others. */
@Injectable()
export class ExplainRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Numbers of the assets that something happened to after `from`, until `to`: they or their findings changed, or
   * their score or their groups did, also if only by expiry or a catalogue. Assets that wait to be scored are included.
   * @param endsBySwitch scores that change at `to` do so by another model or other rates, which change all scores
   * @param choices in force, to know which partitions were not scored with them yet
   */
  async movedAssets(
    { from, to }: Span,
    { endsBySwitch, choices }: { endsBySwitch: boolean; choices: ChoiceTimeline },
  ): Promise<number[]> {
    const end = endsBySwitch ? sql`<` : sql`<=`;
    const within = (column: string) =>
      sql<SqlBool>`${sql.ref(column)} > ${instant(from)} and ${sql.ref(column)} ${end} ${instant(to)}`;
    const stale = await this.stalePartitions(choices, to);
    const changed = async (table: 'asset' | 'finding') => sql`
      select h.partition, h.asset_no from (${await historyRanges(this.db, table, { from, to })}) r
      join ${sql.table(`${table}_history`)} h
        on h.partition = r.partition and h.sequence > r.after and h.sequence <= r.until`;
    const { rows } = await sql<{ assetNos: number[] }>`
      select coalesce(array_agg(asset_no::float8), '{}') as "assetNos" from (
        select partition, asset_no from score_history where ${within('valid_from')}
        union select partition, asset_no from score_history where ${within('valid_to')}
        union ${await changed('asset')}
        union ${await changed('finding')}
        ${stale.length === 0 ? sql`` : sql`union select partition, asset_no from score_history where partition = any(${stale}::integer[])`}
        union ${waitingAssets(to)}) moved`.execute(this.db);
    return rows[0]!.assetNos;
  }

  /** The partitions whose scores until an instant are of other models or rates. Mostly none, and for a second. */
  private async stalePartitions(choices: ChoiceTimeline, to: number): Promise<number[]> {
    const rows = await this.db.selectFrom('scored_partitions').select(['partition', 'choices']).execute();
    return rows.flatMap(({ partition, choices: known }) => {
      const since = firstDifference((known as ChoiceTimeline | null) ?? DEFAULT_CHOICES, choices);
      return since !== null && since <= to ? [partition] : [];
    });
  }

  /** The sum of the other assets of a group, or of the organization, at an instant. */
  async sumWithout(assetNos: number[], at: number, group?: AssetGroup): Promise<ScoreSums> {
    const { rows } = await sql<SumColumns>`
      select ${SUM_COLUMNS} from (
        select ${SUMS_OF_ASSETS} from score_history h
        where ${heldAt(at)} and ${group ? isInGroup('h', group) : sql<SqlBool>`true`}
          and asset_no not in (select unnest(${assetNos}::bigint[]))
      ) summed`.execute(this.db);
    return scoreSums(rows[0]!);
  }
}
