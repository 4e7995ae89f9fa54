import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, isDivided, READ_DATABASE, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { type FindingFilter, selectedStates } from './finding-conditions.ts';
import type { Grouping } from './finding-groups.dto.ts';
import { countedNumbers, type GroupNumbers, summedNumbers } from './group-numbers.ts';
import {
  countFindings,
  HAS_INDEXED_MAPPINGS,
  HAS_TOO_MANY_MAPPINGS,
  matchingFindings,
  PRESENT_STATE,
  withFallenDue,
} from './matching-findings.ts';

/** Findings with the same value of a filter. */
export interface CountedGroup extends GroupNumbers {
  key: string;
  /** Of the asset, or the title as a finding has it; null: findings do not have it. */
  name: string | null;
}

/** The first groups, and the numbers of all. */
export interface CountedGroups {
  groups: CountedGroup[];
  totalGroups: number;
  /** Findings that are in any group, each once. */
  grouped: number;
}

/** Whose ids are keys of groups. */
const LISTED = { cve: 'cves', technique: 'techniques' } as const;

interface Grouped {
  /** SQL of what findings `f` are counted by first. */
  value: RawBuilder<unknown>;
  /** SQL of an asset with such a finding; null: not needed. */
  assetNo: RawBuilder<unknown>;
  /** Only findings of one of these conditions are counted; none matches two. */
  parts: readonly RawBuilder<SqlBool>[];
  /** SQL of rows with `key`, `name` and numbers, from rows `counted` with `value`, `assetNo` and numbers. */
  groups: (numbers: RawBuilder<unknown>) => RawBuilder<unknown>;
}

@Injectable()
export class FindingGroupsRepository {
  constructor(
    @Inject(DATABASE) private readonly primary: Kysely<Schema>,
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
  ) {}

  /**
   * Groups within PostgreSQL, from indexes with all that is counted by (ADR-0146). Expiry is evaluated at `now`, in epoch
   * milliseconds (R-EXP-6).
   */
  async group(
    by: Grouping,
    filter: FindingFilter,
    rowLimits: RowLimits,
    now: number,
    limit: number,
  ): Promise<CountedGroups> {
    const divided = await isDivided(this.db);
    const states = selectedStates(filter);
    const { value, assetNo, parts, groups } = grouped(by, filter);
    const counted = parts.map((part) =>
      matchingFindings(filter, rowLimits, divided, {
        columns: sql`
          ${value} as value, ${assetNo} as "assetNo",
          ${countedNumbers(states, PRESENT_STATE, sql`f.severity_value`)}`,
        conditions: [part],
        end: sql`group by 1`,
      }),
    );
    const counting = sql<CountedGroup & { assetNo: number; totalGroups: number; grouped: number }>`
      ${withFallenDue(now)},
      counted as materialized (${sql.join(counted, sql` union all `)}),
      named as materialized (${groups(summedNumbers(states))})
      select g.*, count(*) over ()::int as "totalGroups",
             (select sum(findings) from counted)::int as grouped
      from named g
      order by g.findings desc, g."severityMax" desc, g.key collate "C" limit ${limit}`;
    const { rows } = await countFindings(this.primary, this.db, filter, (trx) => counting.execute(trx));
    const names = by === 'title' ? await this.titles(rows) : new Map<string, string>();
    return {
      groups: rows.map((row) => ({ ...row, name: names.get(row.key) ?? row.name })),
      totalGroups: rows[0]?.totalGroups ?? 0,
      grouped: rows[0]?.grouped ?? 0,
    };
  }

  /** The titles as a finding of each group has them, on an asset that the caller sees. */
  private async titles(groups: readonly { key: string; assetNo: number }[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ key: string; name: string }>`
      select g.key, min(f.name) as name
      from unnest(${groups.map(({ key }) => key)}::text[], ${groups.map(({ assetNo }) => assetNo)}::bigint[])
        as g (key, "assetNo")
      join findings f on f.sort_name = g.key and f.asset_no = g."assetNo"
      group by 1`.execute(this.db);
    return new Map(rows.map(({ key, name }) => [key, name]));
  }
}

function grouped(by: Grouping, filter: FindingFilter): Grouped {
  if (by === 'cve' || by === 'technique') {
    const ids = sql.ref(`f.${LISTED[by]}`);
    const only = filter[by];
    return {
      value: ids,
      assetNo: sql`null::bigint`,
      parts: [HAS_INDEXED_MAPPINGS, HAS_TOO_MANY_MAPPINGS].map(
        (part) => sql<SqlBool>`${ids} <> '{}' and ${part}`,
      ),
      // Findings with another id too are in the list with the filter, but not in that of the other id.
      groups: (numbers) => sql`
        select id as key, null::text as name, ${numbers}
        from counted n cross join lateral (select distinct unnest(n.value) as id) ids
        where ${only === undefined ? sql`true` : sql`id = ${only}`}
        group by 1`,
    };
  }
  if (by === 'title') {
    return {
      value: sql`f.sort_name`,
      assetNo: sql`min(f.asset_no)`,
      parts: [sql`true`],
      groups: (numbers) => sql`
        select n.value as key, null::text as name, min(n."assetNo") as "assetNo", ${numbers}
        from counted n group by 1`,
    };
  }
  return {
    value: sql`f.asset_no`,
    assetNo: sql`f.asset_no`,
    parts: [sql`true`],
    groups: (numbers) => sql`
      select a.id::text as key, a.name, n.*
      from (select min(n."assetNo") as "assetNo", ${numbers} from counted n group by n.value) n
      join assets a on a.asset_no = n."assetNo"`,
  };
}
