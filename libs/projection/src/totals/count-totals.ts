import { FINDINGS_TABLE_SQL, groupKeySql, SELECT_FINDINGS_TABLE } from '#libs/tables';

/** Runs a statement in a transaction. */
export type Query = (
  statement: string,
  values: unknown[],
) => Promise<{ rows: Record<string, number | null>[] }>;

/** How many of the assets of a partition are counted. */
export interface TotalsProgress {
  countedAssets: number;
  assets: number;
}

/** Assets that one call looks at. */
const ASSETS_MAX = 1_000;

/**
 * Counts the findings of the next assets of a partition that the totals do not count yet: up to a number, of one asset
 * at least. Begins again if a program that moves no totals has folded since. The writer of the partition waits meanwhile.
 * @param query in a transaction
 * @returns null: all are counted
 */
export async function countTotals(
  query: Query,
  partition: number,
  findingsMax: number,
): Promise<TotalsProgress | null> {
  const position = (await query(LOCK_POSITION, [partition])).rows[0];
  if (!position) return null;
  const { nextOffset, assets } = position as { nextOffset: number; assets: number };
  const { table } = (await query(SELECT_FINDINGS_TABLE, [])).rows[0]!;
  const progress = (await query(READ_PROGRESS, [partition, nextOffset, table])).rows[0];
  if (progress?.counted === null) return null;
  if (!progress) for (const statement of REMOVE) await query(statement, [partition]);
  const counted = progress?.counted ?? 0;
  const until = (await query(NEXT_ASSETS, [partition, counted, assets, findingsMax])).rows[0]!.until!;
  for (const statement of COUNT) await query(statement, [partition, counted, until]);
  const isComplete = until >= assets;
  await query(STORE_PROGRESS, [partition, nextOffset, isComplete ? null : until]);
  return isComplete ? null : { countedAssets: until, assets };
}

const LOCK_POSITION = `
  select next_offset as "nextOffset", asset_counter as assets from projection_positions
  where partition = $1::int for update`;

const READ_PROGRESS = `
  select counted_assets as counted from totals_progress
  where partition = $1::int and findings_table = $3::bigint::oid and next_offset = $2::bigint`;

const REMOVE = [
  'delete from finding_totals where partition = $1::int',
  'delete from technique_totals where partition = $1::int',
];

/** The numbers of a partition's assets are 1,024 apart (PARTITIONS_MAX of libs/domain). */
const assetNo = (count: string) => `${count} * 1024 + $1::int`;

const NEXT_ASSETS = `
  select coalesce(max(n) filter (where findings_before < $4::bigint), $3::bigint) as until from (
    select n, sum(findings) over (order by n) - findings as findings_before
    from generate_series($2::bigint + 1, least($3::bigint, $2::bigint + ${ASSETS_MAX})) n
    cross join lateral (
      select count(*) as findings from findings f where f.partition = $1::int and f.asset_no = ${assetNo('n')}
    ) counted
  ) assets`;

/** Rows ids and `offset 0` force look-ups: the planner would scan all findings for each call. */
const COUNTED = `
  from assets a
  cross join lateral (
    select f.state, f.type, f.severity_value, f.techniques from findings f
    where f.partition = $1::int and f.asset_no = a.asset_no offset 0
  ) f
  where a.partition = $1::int and a.asset_no > ${assetNo('$2::bigint')} and a.asset_no <= ${assetNo('$3::bigint')}`;

const COUNT = [
  `insert into finding_totals as t (partition, group_key, state, type, severity, asset_type, department, findings)
   select $1::int, ${groupKeySql('a.type', 'a.department')}, f.state, f.type,
          severity_level(f.severity_value) as severity, a.type, a.department, count(*)
   ${COUNTED}
   group by f.state, f.type, severity, a.type, a.department
   on conflict (partition, group_key, state, type, severity) do update set findings = t.findings + excluded.findings`,
  `insert into technique_totals as t (partition, technique_key, is_family, state, type, technique, findings)
   select $1::int, md5(n.technique)::uuid, n.is_family, named.state, named.type, n.technique, sum(named.findings)
   from (
     select f.state, f.type, f.techniques, count(*) as findings
     ${COUNTED} and f.techniques <> '{}' and f.state <> 'Retired'
     group by f.state, f.type, f.techniques
   ) named
   cross join lateral (
     select distinct id as technique, false as is_family from unnest(named.techniques) id
     union all
     select distinct left(id, 5), true from unnest(named.techniques) id
   ) n
   group by n.technique, n.is_family, named.state, named.type
   on conflict (partition, technique_key, is_family, state, type) do update set findings = t.findings + excluded.findings`,
];

const STORE_PROGRESS = `
  insert into totals_progress (partition, findings_table, next_offset, counted_assets)
  values ($1::int, ${FINDINGS_TABLE_SQL}, $2::bigint, $3::bigint)
  on conflict (partition, findings_table) do update set
    next_offset = excluded.next_offset, counted_assets = excluded.counted_assets`;
