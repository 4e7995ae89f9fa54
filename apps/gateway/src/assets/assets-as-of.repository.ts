import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant, READ_DATABASE, type Schema } from '#libs/database';
import {
  assetStateAt,
  assetsUpToPageBytes,
  changeAt,
  isPageFull,
  isVisibleAsset,
  isVisibleSince,
  isVisibleState,
  lastSeenAt,
  placeAt,
  type RowLimits,
  typingAt,
} from '#libs/tables';
import type { FindingCounts } from '#libs/views';
import { escapeLike } from '../paging/escape-like.ts';
import { assertHistoryKept } from '../paging/kept-history.ts';
import { FINDINGS_AT_ONCE, type PastRead, ROWS_WITHOUT_PLACE } from '../paging/past-reads.ts';
import { searchQuery } from '../paging/search-query.ts';
import {
  behindCursor,
  type ListOrder,
  orderBy,
  ownOrder,
  type SortKey,
  sortKeyText,
  sortName,
} from '../paging/sort.ts';
import { inAnyForm } from '../paging/unicode-forms.ts';
import { type AssetConditions, eachInArray, orSealed } from './asset-conditions.ts';
import type { AssetRow, ListedAssetRow } from './asset-row.ts';
import { ASSET_NUMBERS, type AssetSort } from './asset-sorts.ts';
import { countColumns } from './count-columns.ts';

/** Assets whose findings are counted at once. */
interface CountedAssets {
  assetNos: number[];
  /** Number of their findings. */
  findings: number;
}

/** Assets as of an instant, in epoch milliseconds, from the history. */
@Injectable()
export class AssetsAsOfRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * As `AssetsRepository.list`; the filters hold of the asset as it stood.
   * @throws what `read` throws before a step
   */
  async list(
    filter: AssetConditions,
    at: number,
    order: ListOrder,
    limit: number,
    read: PastRead,
  ): Promise<ListedAssetRow[]> {
    await stepOverAssets(this.db, read);
    const isLive = sql<SqlBool>`h.state ->> 'deletedAt' is null`;
    return this.rows(at, filter.rows, [isLive, ...conditionsOf(filter, at)], order, limit);
  }

  /** Whether there are more assets today than a number; a list as of an instant has to look at each. */
  async areMoreThan(count: number): Promise<boolean> {
    return (await assetsUpTo(this.db, count + 1)) > count;
  }

  /** A deleted one too; undefined if there was none yet, or it was none of `rows`. */
  async find(id: string, at: number, rows: RowLimits): Promise<AssetRow | undefined> {
    const [row] = await this.rows(at, rows, [sql`a.id = ${id}`, ...isVisibleState(rows)]);
    return row;
  }

  /** Deleted ones too, in pages of limited size, as a reader of `visible` rows sees them. */
  async *byIds(ids: readonly string[], at: number, visible: RowLimits): AsyncGenerator<AssetRow[]> {
    for (let after: number[] | null = null; ; ) {
      const rows: ListedAssetRow[] = await this.rows(
        at,
        visible,
        [sql`a.id = any(${ids}::uuid[])`],
        ownOrder(ASSET_NUMBERS, after),
      );
      yield rows;
      if (!isPageFull(rows)) return;
      after = [rows.at(-1)!.assetNo];
    }
  }

  /** Whether the asset was one of `rows` from an instant until now, or since it was created. */
  async isVisibleSince(assetNo: number, from: number, visible: RowLimits): Promise<boolean> {
    const isOfAsset = (alias: string) => sql<SqlBool>`${sql.ref(`${alias}.asset_no`)} = ${assetNo}::bigint`;
    const [condition] = isVisibleSince(visible, isOfAsset, instant(from));
    if (!condition) return true;
    const { rows } = await sql<{ isVisible: boolean }>`select ${condition} as "isVisible"`.execute(this.db);
    return rows[0]!.isVisible;
  }

  /** As `AssetsRepository.counts`. @throws what `read` throws before each step */
  async counts(assetNos: number[], at: number, read: PastRead): Promise<Map<number, FindingCounts>> {
    await assertHistoryKept(this.db, at);
    const counts = new Map<number, FindingCounts>();
    for (const step of await this.steps(assetNos)) {
      await read.step(step.findings);
      for (const { assetNo, ...found } of await this.countsOf(step.assetNos, at)) counts.set(assetNo, found);
    }
    await assertHistoryKept(this.db, at);
    return counts;
  }

  /** Assets with `FINDINGS_AT_ONCE` findings, or one with more. */
  private async steps(assetNos: number[]): Promise<CountedAssets[]> {
    const { rows } = await sql<{ assetNo: number; findings: number }>`
      select asset_no as "assetNo", count(*)::int as findings from findings
      where asset_no = any(${assetNos}::bigint[]) group by asset_no`.execute(this.db);
    const steps: CountedAssets[] = [];
    for (const { assetNo, findings } of rows) {
      const last = steps.at(-1);
      if (last && last.findings + findings <= FINDINGS_AT_ONCE) {
        last.assetNos.push(assetNo);
        last.findings += findings;
      } else steps.push({ assetNos: [assetNo], findings });
    }
    return steps;
  }

  private async countsOf(assetNos: number[], at: number): Promise<(FindingCounts & { assetNo: number })[]> {
    const { rows } = await sql<FindingCounts & { assetNo: number }>`
      select f.asset_no as "assetNo",
             ${countColumns(sql`h.to_state`, sql`h.body`)}
      from findings f
      cross join lateral ${changeAt(at)} h
      cross join lateral ${lastSeenAt(at)} s
      where f.asset_no = any(${assetNos}::bigint[]) and h.to_state <> 'Retired' and s.fell_due is null
      group by f.asset_no`.execute(this.db);
    return rows;
  }

  /**
   * `lastSeen` is null if a later signal has updated it: the history does not keep earlier values. Also if the reader does
   * not see the asset at present, so that the null does not reveal such a signal.
   */
  private async rows(
    at: number,
    visible: RowLimits,
    conditions: RawBuilder<SqlBool>[],
    order: ListOrder = ownOrder(ASSET_NUMBERS, null),
    limit: number | null = null,
  ): Promise<ListedAssetRow[]> {
    const isShown = sql.join(
      [sql`s.last_seen <= ${instant(at)}`, ...isVisibleAsset(visible, 'a')],
      sql` and `,
    );
    const { rows } = await assetsUpToPageBytes<ListedAssetRow>(sql`
      select a.asset_no as "assetNo", h.state as asset,
             case when ${isShown} then s.last_seen end as "lastSeen",
             ${scoreAt(at)} as score, ${sortKeyText(order)} as "sortKey"
      from assets a
      cross join lateral (
        select last_seen from asset_seen where asset_no = a.asset_no and partition = a.partition limit 1) s
      cross join lateral ${assetStateAt(at)} h
      where ${sql.join([...conditions, ...behindCursor(order)], sql` and `)}
      ${orderBy(order)} limit ${limit}::bigint`).execute(this.db);
    return rows;
  }
}

/** As `ASSET_SORTS`, of assets as of an instant. */
export const assetSortsAt = (at: number): Record<AssetSort, SortKey> => ({
  name: { column: sortName(sql`h.state ->> 'name'`), type: 'text' },
  updatedAt: { column: sql`(h.state ->> 'updatedAt')::bigint`, type: 'bigint' },
  // As `listByScore`: an instant still to come is the present, and a later page of it the past.
  score: { column: sql`coalesce(${scoreAt(at)}, -1)`, type: 'smallint', reversesNumbers: true },
  criticality: { column: sql`criticality_rank(h.state ->> 'criticality')`, type: 'smallint' },
});

/** The number of assets today, counted up to a maximum. */
async function assetsUpTo(db: Kysely<Schema>, max: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (select asset_no from assets limit ${max}) candidates`.execute(db);
  return rows[0]!.found;
}

/** To be called before each asset may be looked up in the history. @throws what `read.step` throws */
export const stepOverAssets = async (db: Kysely<Schema>, read: PastRead): Promise<void> =>
  read.step(await assetsUpTo(db, ROWS_WITHOUT_PLACE + 1));

/** SQL of the live assets that match at an instant, with the counted columns. */
export const assetsAt = (filter: AssetConditions, at: number): RawBuilder<unknown> => sql`
  select ${typingAt('type')} as type, ${typingAt('attackSurface')} as attack_surface,
         ${placeAt('department')} as department, ${placeAt('location')} as location,
         h.state ->> 'criticality' as criticality
  from assets a cross join lateral ${assetStateAt(at)} h
  where ${sql.join([sql`h.state ->> 'deletedAt' is null`, ...conditionsOf(filter, at)], sql` and `)}`;

const scoreAt = (at: number) => sql<number | null>`
  (select sh.score from score_history sh
    where sh.asset_no = a.asset_no and sh.partition = a.partition
      and sh.valid_from <= ${instant(at)} and sh.valid_to > ${instant(at)}
    order by sh.valid_from desc limit 1)`;

/** The given value, otherwise the default at that time, as in `assetView`. */
function conditionsOf(
  {
    rows,
    filter: { name, type, attackSurface, department, location, criticality, source, scored, q },
    customFields,
    sealed,
  }: AssetConditions,
  at: number,
): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = isVisibleState(rows);
  if (name !== undefined) {
    const begins = (form: string) =>
      sql<SqlBool>`lower(h.state ->> 'name') like lower(${`${escapeLike(form)}%`})`;
    conditions.push(...orSealed([inAnyForm(name, begins)], sealed?.name));
  }
  if (type !== undefined) conditions.push(sql`${typingAt('type')} = ${type}`);
  if (attackSurface !== undefined) conditions.push(sql`${typingAt('attackSurface')} = ${attackSurface}`);
  if (department !== undefined) conditions.push(sql`${placeAt('department')} = ${department}`);
  if (location !== undefined) conditions.push(sql`${placeAt('location')} = ${location}`);
  if (criticality !== undefined) conditions.push(sql`h.state ->> 'criticality' = ${criticality}`);
  if (source !== undefined) {
    conditions.push(sql`(h.state -> 'sources')::jsonb @> ${JSON.stringify([source])}::jsonb`);
  }
  if (Object.keys(customFields).length > 0) {
    const wanted = JSON.stringify(eachInArray(customFields));
    conditions.push(sql`(h.state -> 'customFields')::jsonb @> ${wanted}::jsonb`);
  }
  if (scored !== undefined) {
    conditions.push(scored === 'true' ? sql`${scoreAt(at)} is not null` : sql`${scoreAt(at)} is null`);
  }
  if (q !== undefined)
    conditions.push(...orSealed([sql`asset_words(h.state) @@ ${searchQuery(q)}`], sealed?.q));
  return conditions;
}
