import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { READ_DATABASE, type Schema } from '#libs/database';
import { type Level, SEVERITY_LEVELS } from '#libs/domain';
import { areTotalsExactSql, type RowLimits, SELECT_FINDINGS_TABLE } from '#libs/tables';
import { eachOf } from '../paging/one-or-more.ts';
import { type FindingFilter, fallenDue, selectedStates } from './finding-conditions.ts';
import type { CountedFindings } from './finding-counts.repository.ts';
import { type CountedTechnique, countsOfNamed } from './technique-counts.ts';

/**
 * Counts of findings from the totals that the fold moves: their time does not depend on the number of findings. Null if
 * the totals do not answer it: they are not complete yet, or the filter is by other columns.
 */
@Injectable()
export class FindingTotalsRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /** As `FindingCountsRepository.count`. */
  async count(filter: FindingFilter, rowLimits: RowLimits, now: number): Promise<CountedFindings[] | null> {
    const conditions = totalsConditions(filter, rowLimits);
    if (conditions === null) return null;
    const isSelected = sql`t.state = any(${selectedStates(filter)}::text[])`;
    const { rows } = await sql<{ areExact: boolean; counted: CountedFindings[] }>`
      with due as materialized (
        select f.state, f.type, severity_level(f.severity_value) as severity, a.type as asset_type, a.department
        from ${fallenDue(now)} due
        join findings f using (partition, asset_no, finding_no)
        join assets a using (partition, asset_no)
        where f.state <> 'Retired'
      ), counted as (
        select t.state, t.type, t.severity as "severityLevel", t.asset_type as "assetType", sum(t.findings)::int as count
        from (
          select state, type, severity, asset_type, department, findings from finding_totals
          union all
          select state, type, severity, asset_type, department, -1 from due
          union all
          select 'Retired', type, severity, asset_type, department, 1 from due
        ) t
        where ${sql.join([isSelected, ...conditions], sql` and `)}
        group by 1, 2, 3, 4
        having sum(t.findings) > 0
      )
      select ${await this.areExact()} as "areExact", coalesce((select json_agg(counted) from counted), '[]') as counted`.execute(
      this.db,
    );
    return rows[0]!.areExact ? rows[0]!.counted : null;
  }

  /**
   * As `TechniqueCountsRepository.count`.
   * @param known ids of the techniques of all matrices
   */
  async countTechniques(
    filter: FindingFilter,
    rowLimits: RowLimits,
    now: number,
    known: readonly string[],
    limit: number,
  ): Promise<CountedTechnique[] | null> {
    const { type, ...others } = filter;
    if (isSome(others) || rowLimits.departments !== null || rowLimits.locations !== null) return null;
    const isSelected =
      type === undefined ? sql<SqlBool>`true` : sql<SqlBool>`t.type = any(${eachOf(type)}::text[])`;
    const named = sql`
      select t.technique as id, t.is_family as "withSubtechniques", t.state, t.type, t.findings
      from (
        select technique, is_family, state, type, findings from technique_totals
        union all
        select distinct on (asset_no, finding_no, technique, is_family) technique, is_family, f.state, f.type, -1
        from ${fallenDue(now)} due
        join findings f using (partition, asset_no, finding_no)
        cross join lateral unnest(f.techniques) as named (id)
        cross join lateral (values (named.id, false), (left(named.id, 5), true)) as n (technique, is_family)
        where f.state <> 'Retired'
      ) t
      where ${isSelected} and (not t.is_family or t.technique = any(${known}::text[]))`;
    const { rows } = await sql<{ areExact: boolean; counted: CountedTechnique[] }>`
      with counted as (${countsOfNamed(named, known)} limit ${limit})
      select ${await this.areExact()} as "areExact", coalesce((select json_agg(counted) from counted), '[]') as counted`.execute(
      this.db,
    );
    return rows[0]!.areExact ? rows[0]!.counted : null;
  }

  private async areExact(): Promise<RawBuilder<boolean>> {
    const { rows } = await sql.raw<{ table: number }>(SELECT_FINDINGS_TABLE).execute(this.db);
    return sql.raw(areTotalsExactSql('true', rows[0]!.table));
  }
}

/** Conditions on a total `t`, but for its state; null if the filter needs more than the totals have. */
function totalsConditions(
  { state: _, type, severityMin, severity, assetType, department, ...others }: FindingFilter,
  { departments, locations }: RowLimits,
): RawBuilder<SqlBool>[] | null {
  const levels = levelsFrom(severityMin);
  if (isSome(others) || locations !== null || levels === null) return null;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (type !== undefined) conditions.push(sql`t.type = any(${eachOf(type)}::text[])`);
  if (severityMin !== undefined) conditions.push(sql`t.severity = any(${levels}::text[])`);
  if (severity !== undefined) conditions.push(sql`t.severity = any(${eachOf(severity)}::text[])`);
  if (assetType !== undefined) conditions.push(sql`t.asset_type = ${assetType}`);
  if (department !== undefined) conditions.push(sql`t.department = ${department}`);
  if (departments !== null) conditions.push(sql`t.department = any(${[...departments]}::text[])`);
  return conditions;
}

/** The levels of all severities from a value on; null if it is within a level. */
function levelsFrom(severityMin = 0): Level[] | null {
  const place = SEVERITY_LEVELS.findIndex(([, from]) => Math.fround(from) === Math.fround(severityMin));
  return place < 0 ? null : SEVERITY_LEVELS.slice(0, place + 1).map(([level]) => level);
}

const isSome = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined);
