import { IS_DIVIDED } from '#libs/database';
import type { HistoryTrim } from '#libs/domain';

/** Runs a statement in the transaction of the writer. */
export type Run = (statement: string, values: unknown[]) => Promise<{ rows: object[] }>;

const FIRST_KEPT = `
  with progress as materialized (
    select coalesce((
      select through_sequence from history_trims where partition = $1::int and finding_type = $2::text), 0) as through
  ), first_kept as materialized (
    select h.asset_no, h.finding_no, max(h.sequence) as sequence
    from progress
    join finding_history h on h.partition = $1::int and h.sequence > progress.through and h.sequence <= $4::bigint
    cross join lateral (
      select from findings f
      where f.partition = $1::int and f.asset_no = h.asset_no and f.finding_no = h.finding_no and f.type = $2::text limit 1
    ) of_type
    where h.at <= $3::timestamptz
      and case when $2::text in ('ca', 'uba') then h.to_state not in ('NotAssessed', 'Retired')
               when $2::text = 'edr' then not exists (
                 select from json_array_elements(h.body -> 'instances') i
                 where i ->> 'status' = 'fail' and i ->> 'workflowStatus' is not null)
               else true end
    group by h.asset_no, h.finding_no`;

/** Joined laterally: the `severity` of a change. @param body SQL of its body */
const severityOf = (body: string) => `
    cross join lateral (
      select coalesce(max((i -> 'severity' ->> 'value')::float8) filter (where is_failing),
                      max((i -> 'severity' ->> 'value')::float8), 0) as value
      from json_array_elements(${body} -> 'instances') i
      cross join lateral (
        select i ->> 'status' = 'fail' and (i ->> 'counted')::boolean as is_failing) failing
    ) worst
    cross join lateral (
      select case when value >= 9 then 'critical' when value >= 7 then 'high' when value >= 4 then 'medium'
                  when value >= 0.1 then 'low' else 'info' end as severity
    ) levels`;

/**
 * Removes what a trim made old, and counts it in the summary, in one statement. The window are the changes after those
 * of the trim before: of each finding with changes in it, the last one from which the rest can be told is kept, with
 * everything after it.
 *
 * The score of a retired control or a closed detection depends on earlier changes (`dependsOnPast`): such a
 * change keeps those before it. The condition here selects some more than the model does, and must never select fewer.
 *
 * Laterals with a limit and row ids force look-ups: the planner would scan the whole history for each window.
 */
const TRIM = `
  ${FIRST_KEPT}
  ), removed as (
    delete from finding_history h where h.partition = $1::int and h.ctid = any (array(
      select superseded.ctid
      from first_kept k
      cross join lateral (
        select p.ctid from finding_history p
        where p.asset_no = k.asset_no and p.finding_no = k.finding_no and p.partition = $1::int
          and p.sequence < k.sequence
        offset 0
      ) superseded
    ))
    returning h.at, h.change, h.to_state, h.body
  ), summary as (
    insert into history_summaries as known (partition, finding_type, month, change, state, severity, changes)
    select $1::int, $2::text, to_char(at at time zone 'UTC', 'YYYY-MM'), change, to_state, severity, count(*)
    from removed
    ${severityOf('body')}
    group by 3, 4, 5, 6
    on conflict (partition, finding_type, month, change, state, severity)
    do update set changes = known.changes + excluded.changes
  )
  insert into history_trims as known (partition, finding_type, kept_from, through_sequence, removed)
  select $1::int, $2::text, $3::timestamptz, $4::bigint, (select count(*) from removed) from progress where through < $4::bigint
  on conflict (partition, finding_type) do update set
    kept_from = greatest(known.kept_from, excluded.kept_from),
    through_sequence = excluded.through_sequence,
    removed = known.removed + excluded.removed`;

/*
 * The same in steps, if PostgreSQL is divided over machines (ADR-0144): Citus refuses a change that finds its rows by
 * their places. No other writer of the partition is between the steps.
 */

const SUPERSEDED = `
  ${FIRST_KEPT}
  )
  select to_char(p.at at time zone 'UTC', 'YYYY-MM') as month, p.change, p.to_state as state, severity,
         count(*)::int as changes
  from first_kept k
  join finding_history p on p.partition = $1::int and p.asset_no = k.asset_no and p.finding_no = k.finding_no
    and p.sequence < k.sequence
  ${severityOf('p.body')}
  group by 1, 2, 3, 4`;

const REMOVE = `
  ${FIRST_KEPT}
  )
  delete from finding_history h using first_kept k
  where h.partition = $1::int and h.asset_no = k.asset_no and h.finding_no = k.finding_no and h.sequence < k.sequence`;

const SUMMARIZE = `
  insert into history_summaries as known (partition, finding_type, month, change, state, severity, changes)
  values ($1::int, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint)
  on conflict (partition, finding_type, month, change, state, severity)
  do update set changes = known.changes + excluded.changes`;

const NOTE = `
  insert into history_trims as known (partition, finding_type, kept_from, through_sequence, removed)
  values ($1::int, $2::text, $3::timestamptz, $4::bigint, $5::bigint)
  on conflict (partition, finding_type) do update set
    kept_from = greatest(known.kept_from, excluded.kept_from),
    through_sequence = excluded.through_sequence,
    removed = known.removed + excluded.removed
  where known.through_sequence < excluded.through_sequence`;

interface Superseded {
  month: string;
  change: string;
  state: string;
  severity: string;
  changes: number;
}

async function trimInSteps(run: Run, trim: readonly [number, string, string, number]): Promise<void> {
  const [partition, findingType, , throughSequence] = trim;
  const superseded = (await run(SUPERSEDED, [...trim])).rows as Superseded[];
  for (const { month, change, state, severity, changes } of superseded) {
    await run(SUMMARIZE, [partition, findingType, month, change, state, severity, changes]);
  }
  await run(REMOVE, [...trim]);
  if (throughSequence > 0)
    await run(NOTE, [...trim, superseded.reduce((sum, { changes }) => sum + changes, 0)]);
}

/** Applies trims in order, after the changes that were folded before them. */
export async function trimHistory(run: Run, partition: number, trims: readonly HistoryTrim[]): Promise<void> {
  if (trims.length === 0) return;
  const [found] = (await run(IS_DIVIDED, [])).rows as { isDivided: boolean }[];
  for (const { findingType, before, throughSequence } of trims) {
    const trim = [partition, findingType, new Date(before).toISOString(), throughSequence] as const;
    await (found!.isDivided ? trimInSteps(run, trim) : run(TRIM, [...trim]));
  }
}
