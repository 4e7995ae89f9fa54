import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';
import type { OwnerRule, Sla } from '#libs/domain';
import {
  belongedToVisible,
  changeAt,
  isOfSamePartition,
  isOwned,
  lastSeenAt,
  type RowLimits,
  RULED_STATE,
  ruleOf,
} from '#libs/tables';
import { escapeLike } from '../paging/escape-like.ts';
import { eachOf } from '../paging/one-or-more.ts';
import { searchQuery } from '../paging/search-query.ts';
import { type SortKey, sortName } from '../paging/sort.ts';
import { inAnyForm } from '../paging/unicode-forms.ts';
import { type AssigneeColumns, anyWay, assigneeWays } from './assignee-ways.ts';
import { slaMs } from './due-classes.ts';
import { becameFailed, failedAgain } from './failing-periods.ts';
import {
  type DueFilter,
  dueWithin,
  type FindingFilter,
  filteredRows,
  firstSeenWithin,
  selectedStates,
} from './finding-conditions.ts';
import type { Grouping } from './finding-groups.dto.ts';
import { type FindingSort } from './finding-sorts.ts';

export const assetNameAt = (at: number) => sql`(select a.state ->> 'name' from ${assetOf(at)} a)`;

/** The place of the rule that gave the asset of the finding an owner. */
export const ruleAt = (rules: readonly OwnerRule[], at: number): RawBuilder<number | null> =>
  rules.length === 0 ? sql`null::int` : sql`(select ${ruleOf(rules, RULED_STATE)} from ${assetOf(at)} h)`;

const TRIAGE = sql`(h.body -> 'triage')`;
const DUE = sql`(${TRIAGE} -> 'due' ->> 'at')::bigint`;
const FAILED_SINCE = sql`(h.body ->> 'failedSince')::bigint`;
const SETTLED_AT = sql`(h.body ->> 'settledAt')::bigint`;
const ASSIGNEE = sql`
  coalesce('user:' || (${TRIAGE} -> 'assignee' ->> 'user'), 'team:' || (${TRIAGE} -> 'assignee' ->> 'team'))`;

/** As `STORED_ASSIGNEE`, of findings as of an instant. */
const assigneeAt = (at: number): AssigneeColumns => ({
  assignee: ASSIGNEE,
  isUnassigned: sql<SqlBool>`${ASSIGNEE} is null`,
  isOwned: (rules, isTheirs) => sql<SqlBool>`exists (
    select from ${assetOf(at)} h where ${isOwned(rules, isTheirs, RULED_STATE)})`,
});

/** The due date by an SLA that does not depend on decisions, as `dueDateOf` derives it. */
const dueAt = (sla: Sla | null): RawBuilder<unknown> => sql`
  coalesce(${DUE}, case
    when ${STATE} = 'Failed' then coalesce(${FAILED_SINCE}, (h.body ->> 'firstSeen')::bigint)
    when ${STATE} = 'NotAssessed' and ${SETTLED_AT} is null then ${FAILED_SINCE}
  end + ${slaMs(sla, SEVERITY_AT)})`;

/** As `isRemedied`, of findings as of an instant. */
const wasRemedied = (sla: Sla | null, outcome: 'met' | 'missed') => sql<SqlBool>`
  (${SETTLED_AT} ${outcome === 'met' ? sql`<=` : sql`>`} coalesce(${DUE}, ${FAILED_SINCE} + ${slaMs(sla, SEVERITY_AT)}))`;

function pastDueConditions(due: DueFilter): RawBuilder<SqlBool>[] {
  const { from, before } = dueWithin(due) ?? {};
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`${dueAt(due.sla)} >= ${from}::bigint`]),
    ...(before === undefined ? [] : [sql<SqlBool>`${dueAt(due.sla)} < ${before}::bigint`]),
    ...(due.state === 'met' || due.state === 'missed' ? [wasRemedied(due.sla, due.state)] : []),
  ];
}

/** As `FINDING_SORTS`, of findings as of an instant, with due dates by an SLA. */
export const findingSortsAt = (at: number, sla: Sla | null): Record<FindingSort, SortKey> => ({
  severity: { column: SEVERITY_AT, type: 'real' },
  name: { column: TITLE, type: 'text' },
  updatedAt: { column: sql`(h.body ->> 'updatedAt')::bigint`, type: 'bigint' },
  due: { column: dueAt(sla), type: 'bigint', isOptional: true },
  assetName: { column: sortName(assetNameAt(at)), type: 'text' },
});

/** Joins to a finding `f` its version at an instant, `h`, and `s`: the fields that signals update, and why it fell due. */
export const joinedStateAt = (at: number): RawBuilder<unknown> => sql`
  cross join lateral ${changeAt(at)} h
  cross join lateral ${lastSeenAt(at)} s`;

/** As `sort_name` of findings. */
const TITLE = sortName(sql`h.body ->> 'name'`);

export const STATE = sql`case when s.fell_due is null then h.to_state else 'Retired' end`;

export const ASSET_TYPE = sql`coalesce(a.state -> 'typing' ->> 'type', a.state -> 'defaults' -> 'typing' ->> 'type')`;

/**
 * Conditions on values that may have changed since, evaluated on the body in PostgreSQL, as
 * `libs/domain/src/fold/finding-state.ts` does: only matching bodies are transferred.
 */
export function conditionsOf(filter: FindingFilter, rows: RowLimits, at: number): RawBuilder<SqlBool>[] {
  return [
    sql<SqlBool>`${STATE} = any(${selectedStates(filter)}::text[])`,
    ...pastConditions(filter, rows, at),
  ];
}

/** As `conditionsOf`, but for the state. */
export function pastConditions(filter: FindingFilter, rows: RowLimits, at: number): RawBuilder<SqlBool>[] {
  const { severityMin, cve, technique, source, name, title, q, tag } = filter;
  const { severity, assetType, criticality, acceptedUntilBefore, settledAfter } = filter;
  const { reopenedAfter, failedAfter } = filter;
  const conditions = [
    ...belongedToVisible(rows, 'f', instant(at)),
    ...belongedToVisible(filteredRows(filter), 'f', instant(at)),
  ];
  if (assetType !== undefined) conditions.push(belongedTo(at, sql`${ASSET_TYPE} = ${assetType}`));
  if (criticality !== undefined) {
    conditions.push(belongedTo(at, sql`a.state ->> 'criticality' = ${criticality}`));
  }
  if (acceptedUntilBefore !== undefined) {
    conditions.push(sql`(h.body #>> '{accepted,until}')::bigint < ${acceptedUntilBefore}::bigint`);
  }
  conditions.push(...firstSeenWithin(sql`(h.body ->> 'firstSeen')::bigint`, filter));
  if (settledAfter !== undefined) conditions.push(sql`${SETTLED_AT} >= ${settledAfter}::bigint`);
  if (reopenedAfter !== undefined) {
    conditions.push(sql`(f.asset_no, f.finding_no) in ${failedAgain(reopenedAfter, rows, at)}`);
  }
  if (failedAfter !== undefined) conditions.push(becameFailed(failedAfter, rows, at));
  if (source !== undefined) conditions.push(sql`h.body -> 'source' ->> 'name' = ${source}`);
  if (name !== undefined) {
    conditions.push(inAnyForm(name, (form) => sql`${TITLE} like lower(${`%${escapeLike(form)}%`})`));
  }
  if (title !== undefined) conditions.push(sql`${TITLE} = ${sortName(sql`${title}::text`)}`);
  if (cve !== undefined) conditions.push(isInInstance('cves', cve));
  if (technique !== undefined) conditions.push(isInInstance('techniques', technique));
  if (severityMin !== undefined) conditions.push(sql`${SEVERITY_AT} >= ${Math.fround(severityMin)}::real`);
  if (severity !== undefined) {
    conditions.push(sql`severity_level(${SEVERITY_AT}) = any(${eachOf(severity)}::text[])`);
  }
  conditions.push(...anyWay(assigneeWays(filter, assigneeAt(at))));
  if (tag !== undefined) {
    conditions.push(sql`exists (
      select from json_array_elements_text(${TRIAGE} -> 'tags') tag where tag = ${tag})`);
  }
  if (filter.due !== undefined) conditions.push(...pastDueConditions(filter.due));
  if (q !== undefined) {
    conditions.push(sql`searched_words(finding_text(h.body ->> 'name', h.body)) @@ ${searchQuery(q)}`);
  }
  return conditions;
}

/** Of the state `a` that the asset of the finding had at an instant. */
const belongedTo = (at: number, condition: RawBuilder<unknown>) => sql<SqlBool>`
  exists (select from ${assetOf(at)} a where ${condition})`;

/** The state that the asset of the finding had at an instant. */
export const assetOf = (at: number) => sql`(
    select ah.state from asset_history ah
    where ah.asset_no = f.asset_no and ah.partition = f.partition and ah.at <= ${instant(at)}
    order by ah.sequence desc limit 1)`;

const isInInstance = (list: 'cves' | 'techniques', item: string) => sql<SqlBool>`
  exists (select from json_array_elements(h.body -> 'instances') as i (one)
           where (i.one -> ${list})::jsonb ? ${item})`;

/** Ids of all instances, or null. Citus fails while it plans a second function after `from` that uses the first one. */
const idsOfInstances = (list: 'cves' | 'techniques') => sql`
  (select array_agg(distinct id) from (
    select json_array_elements_text(json_array_elements(h.body -> 'instances') -> ${sql.lit(list)}) as id) named)`;

export const TECHNIQUES = idsOfInstances('techniques');

/** The keys of the groups that a finding is in; null: of none. */
export const GROUP_KEYS: Record<Grouping, RawBuilder<unknown>> = {
  cve: idsOfInstances('cves'),
  technique: TECHNIQUES,
  asset: sql`array[(select a.id::text from assets a where ${isOfSamePartition('a', 'f')})]`,
  title: sql`array[${TITLE}]`,
};

/** Of the worst failing instance; of the worst of all if none fails. */
const WORST = sql`
  select coalesce(max(value) filter (where is_failing), max(value)) as value
    from (select (i -> 'severity' ->> 'value')::float8 as value,
                 i ->> 'status' = 'fail' and (i ->> 'counted')::boolean as is_failing
            from json_array_elements(h.body -> 'instances') i) instances`;

/**
 * As in the column of findings. PostgreSQL fails if it would round a non-zero value to 0, as it would up to this power
 * of 2.
 */
export const SEVERITY_AT = sql`
  (select case when value <= power(2::float8, -150) then 0 else value::real end from (${WORST}) worst)`;
