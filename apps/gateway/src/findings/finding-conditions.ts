import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';
import {
  type FindingState,
  type Level,
  OPEN_STATES,
  SEVERITY_LEVELS,
  type Sla,
  type SlaState,
} from '#libs/domain';
import { belongsToVisible, type RowLimits, sameAsset } from '#libs/tables';
import { escapeLike } from '../paging/escape-like.ts';
import { eachOf } from '../paging/one-or-more.ts';
import { searchQuery } from '../paging/search-query.ts';
import { sortName } from '../paging/sort.ts';
import { inAnyForm } from '../paging/unicode-forms.ts';
import { type ChangedFindings, isChangedBy } from '../uploads/changed-findings.ts';
import type { AssigneeFilter } from './assignee-ways.ts';
import { type DueWithin, isDue, isRemedied } from './due-classes.ts';
import { becameFailed, failedAgain } from './failing-periods.ts';
import type { FindingsQuery } from './finding.dto.ts';
import { FIRST_SEEN_MS, UPDATED_MS } from './finding-times.ts';
import { isPlanned, type PlannedFindings } from './planned-findings.ts';

/** Filter of findings: each finding matches all given conditions. */
export interface FindingFilter
  extends Omit<
    FindingsQuery,
    'limit' | 'cursor' | 'asOf' | 'sort' | 'assignee' | 'assigned' | 'dueBefore' | 'sla' | 'plan' | 'upload'
  > {
  assignee?: AssigneeFilter;
  due?: DueFilter;
  planned?: PlannedFindings;
  changed?: ChangedFindings;
}

/** Filter by due date and by state of the SLA. */
export interface DueFilter {
  before?: number | undefined;
  state?: SlaState | undefined;
  /** Instant of the read, in epoch milliseconds, at which findings are overdue. */
  at: number;
  /** By which due dates are derived, at that instant. */
  sla: Sla | null;
}

const ACTIVE: readonly FindingState[] = ['Failed', 'Qualified', 'NotAssessed', 'AcceptedFailed'];

/** Filters by what only present decisions have. */
export const DECISION_FILTERS = ['ssvc', 'ransomware', 'kev', 'epssMin'] as const;

/** The first given filter of them; undefined if there is none. */
export const decisionFilterIn = (filter: FindingFilter): (typeof DECISION_FILTERS)[number] | undefined =>
  DECISION_FILTERS.find((name) => filter[name] !== undefined);

/**
 * The requested states; without any, every state but Retired (R-QRY-4). Only failed findings have a decision, only open
 * ones are overdue, and only accepted ones have an acceptance.
 */
export function selectedStates(filter: FindingFilter): FindingState[] {
  const { state, due, acceptedUntilBefore } = filter;
  const hasDecision = decisionFilterIn(filter) !== undefined;
  const states = state === undefined ? [...ACTIVE] : eachOf(state);
  return states.filter(
    (one) =>
      (!hasDecision || one === 'Failed') &&
      (due?.state === undefined || statesOf(due.state).includes(one)) &&
      (acceptedUntilBefore === undefined || one === 'AcceptedFailed'),
  );
}

/** The department and the location of a filter, as limits of rows: the same assets match. */
export const filteredRows = ({ department, location }: FindingFilter): RowLimits => ({
  departments: department === undefined ? null : [department],
  locations: location === undefined ? null : [location],
});

const statesOf = (sla: SlaState): readonly FindingState[] =>
  sla === 'due' || sla === 'overdue' ? OPEN_STATES : ['Qualified'];

/** Within what a finding has to be due; null if the filter asks for no due date. */
export function dueWithin({ before: given, state, at }: DueFilter): DueWithin | null {
  const before = state === 'overdue' ? Math.min(given ?? at, at) : given;
  const from = state === 'due' ? at : undefined;
  if (from === undefined && before === undefined) return null;
  return { ...(from !== undefined && { from }), ...(before !== undefined && { before }) };
}

/** @param ofSla conditions on findings `c` that are due by the SLA */
export function dueConditions(due: DueFilter, ofSla: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool>[] {
  const within = dueWithin(due);
  return [
    ...(within === null ? [] : [isDue(due.sla, within, ofSla)]),
    ...(due.state === 'met' || due.state === 'missed' ? [isRemedied(due.sla, due.state)] : []),
  ];
}

/**
 * Findings that have expired and that the fold has not yet retired (R-EXP-6), as (asset_no, finding_no): mostly
 * none, since the sweep is a minute late at most. They are found by the assets that the sweep looks for. With their
 * partition.
 */
export const fallenDue = (now: number): RawBuilder<unknown> => sql`
  (select s.partition, s.asset_no, s.finding_no from asset_seen d join finding_seen s
      on s.asset_no = d.asset_no and s.partition = d.partition
    where d.due_at <= ${instant(now)} and least(s.expires_at, s.retain_until) <= ${instant(now)})`;

/**
 * Conditions on a row `f` of findings, but for its state and assignee (`assigneeWays`); each can be looked up in an
 * index of migration 0009, 0021, 0037, 0042, 0049, 0050, 0051, 0052 or 0055.
 * @param divided `isDivided` of the database
 * @param ofSla conditions on findings `c` that are due by the SLA
 */
export function findingConditions(
  filter: FindingFilter,
  rows: RowLimits,
  divided: boolean,
  ofSla: readonly RawBuilder<SqlBool>[] = [],
): RawBuilder<SqlBool>[] {
  const { type, severityMin, ssvc, cve, technique, source, name, title, assetId, q, tag } = filter;
  const { severity, assetType, criticality, ransomware, kev, epssMin, planned, changed } = filter;
  const { acceptedUntilBefore, settledAfter, reopenedAfter, failedAfter } = filter;
  const isOfFinding = sameAsset(divided);
  /** The asset `a` of the finding. */
  const belongsTo = (condition: RawBuilder<unknown>) => sql<SqlBool>`
    exists (select from assets a where ${isOfFinding('a', 'f')} and ${condition})`;
  /** The decision `d` on the finding. */
  const isDecided = (condition: RawBuilder<unknown>) => sql<SqlBool>`
    exists (select from finding_decisions d
      where ${isOfFinding('d', 'f')} and d.finding_no = f.finding_no and ${condition})`;
  const conditions: RawBuilder<SqlBool>[] = [
    ...belongsToVisible(rows, 'f', isOfFinding),
    ...belongsToVisible(filteredRows(filter), 'f', isOfFinding),
  ];
  if (assetType !== undefined) {
    conditions.push(belongsTo(sql`left(a.type, 600) = left(${assetType}, 600) and a.type = ${assetType}`));
  }
  if (criticality !== undefined) {
    conditions.push(belongsTo(sql`criticality_rank(a.criticality) = criticality_rank(${criticality})`));
  }
  if (planned !== undefined) conditions.push(isPlanned(planned));
  if (changed !== undefined) conditions.push(isChangedBy(changed, divided));
  if (ransomware !== undefined) conditions.push(isDecided(sql`d.kev_ransomware`));
  if (kev !== undefined) conditions.push(isDecided(sql`d.kev_added is not null`));
  if (epssMin !== undefined) conditions.push(isDecided(sql`d.epss >= ${epssMin}::double precision`));
  conditions.push(...firstSeenWithin(FIRST_SEEN_MS, filter));
  if (settledAfter !== undefined) conditions.push(sql`f.settled_at_ms >= ${settledAfter}::bigint`);
  if (reopenedAfter !== undefined) {
    conditions.push(sql`(f.asset_no, f.finding_no) in ${failedAgain(reopenedAfter, rows)}`);
  }
  if (failedAfter !== undefined) {
    conditions.push(sql`${UPDATED_MS} >= ${failedAfter}::bigint`, becameFailed(failedAfter, rows));
  }
  if (acceptedUntilBefore !== undefined) {
    conditions.push(
      sql`f.state = 'AcceptedFailed'`,
      sql`(f.body #>> '{accepted,until}')::bigint < ${acceptedUntilBefore}::bigint`,
    );
  }
  if (type !== undefined) conditions.push(sql`f.type = any(${eachOf(type)}::text[])`);
  if (severityMin !== undefined) conditions.push(sql`f.severity_value >= ${Math.fround(severityMin)}::real`);
  if (severity !== undefined) conditions.push(hasLevel(eachOf(severity)));
  if (ssvc !== undefined) conditions.push(isDecided(sql`d.decision = any(${eachOf(ssvc)}::text[])`));
  if (cve !== undefined) conditions.push(hasId(cve), sql`f.cves @> array[${cve}]`);
  if (technique !== undefined) conditions.push(hasId(technique), sql`f.techniques @> array[${technique}]`);
  if (source !== undefined) {
    conditions.push(sql`left(f.source, 600) = left(${source}, 600)`, sql`f.source = ${source}`);
  }
  if (name !== undefined) conditions.push(isNamedWith(name));
  if (title !== undefined) conditions.push(sql`f.sort_name = ${sortName(sql`${title}::text`)}`);
  if (assetId !== undefined) {
    conditions.push(sql`f.asset_no = (select asset_no from assets where id = ${assetId})`);
  }
  if (tag !== undefined) conditions.push(sql`f.tags @> array[${tag}]::text[]`);
  if (filter.due !== undefined) conditions.push(...dueConditions(filter.due, ofSla));
  if (q !== undefined) {
    conditions.push(sql`f.text_id in (
      select id from finding_texts where words @@ ${searchQuery(q)})`);
  }
  return conditions;
}

/** Conditions on the time at which a finding was first seen, in epoch milliseconds. */
export const firstSeenWithin = (
  firstSeenMs: RawBuilder<unknown>,
  { firstSeenAfter, firstSeenBefore }: FindingFilter,
): RawBuilder<SqlBool>[] => [
  ...(firstSeenAfter === undefined ? [] : [sql<SqlBool>`${firstSeenMs} >= ${firstSeenAfter}::bigint`]),
  ...(firstSeenBefore === undefined ? [] : [sql<SqlBool>`${firstSeenMs} < ${firstSeenBefore}::bigint`]),
];

/** Of one of the levels: neighbours are one range of the index. */
function hasLevel(levels: readonly Level[]): RawBuilder<SqlBool> {
  const ranges: { from: number; below: number | undefined }[] = [];
  for (const [i, [level, from]] of SEVERITY_LEVELS.entries()) {
    if (!levels.includes(level)) continue;
    const below = SEVERITY_LEVELS[i - 1]?.[1];
    const last = ranges.at(-1);
    if (last !== undefined && last.from === below) last.from = from;
    else ranges.push({ from, below });
  }
  const conditions = ranges.map(({ from, below }) =>
    below === undefined
      ? sql`f.severity_value >= ${Math.fround(from)}::real`
      : sql`f.severity_value >= ${Math.fround(from)}::real and f.severity_value < ${Math.fround(below)}::real`,
  );
  return sql`(${sql.join(conditions, sql` or `)})`;
}

const hasId = (id: string) => sql<SqlBool>`
  ((f.cves <> '{}' or f.techniques <> '{}') and indexed_ids(f.cves || f.techniques) @> array[left(${id}, 200)])`;

/** `offset 0` keeps the planner from reading the wide rows instead of the index of names. */
const isNamedWith = (part: string) => sql<SqlBool>`
  (f.asset_no, f.finding_no) in (
    select n.asset_no, n.finding_no from findings n
    where ${inAnyForm(part, (form) => sql`n.sort_name like lower(${`%${escapeLike(form)}%`})`)} offset 0)`;
