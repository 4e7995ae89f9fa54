import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';
import type { FindingState, posture2 } from '#libs/domain';
import { belongsToVisible, type RowLimits } from '#libs/tables';
import { OPEN_STATES } from '#libs/views';
import { escapeLike } from '../paging/escape-like.ts';
import { eachOf } from '../paging/one-or-more.ts';
import { searchQuery } from '../paging/search-query.ts';
import type { FindingsQuery } from './finding.dto.ts';

/** Filter of findings: each finding matches all given conditions. */
export interface FindingFilter
  extends Omit<FindingsQuery, 'limit' | 'cursor' | 'asOf' | 'sort' | 'assignee' | 'overdue'> {
  /** Stored keys of the assignee (`assigneeKey`): the name in the clear and sealed. */
  assignees?: string[];
  /** Instant at which a finding has to be overdue, in epoch milliseconds. */
  overdueAt?: number;
}

const ACTIVE: readonly FindingState[] = ['Failed', 'Qualified', 'NotAssessed', 'AcceptedFailed'];

/**
 * The requested states; without any, every state but Retired (R-QRY-4). Only failed findings have a decision, only open
 * ones are overdue, and only accepted ones have an acceptance.
 */
export function selectedStates({
  state,
  ssvc,
  ransomware,
  overdueAt,
  acceptedUntilBefore,
}: FindingFilter): FindingState[] {
  const states = state === undefined ? [...ACTIVE] : eachOf(state);
  return states.filter(
    (one) =>
      ((ssvc === undefined && ransomware === undefined) || one === 'Failed') &&
      (overdueAt === undefined || OPEN_STATES.includes(one)) &&
      (acceptedUntilBefore === undefined || one === 'AcceptedFailed'),
  );
}

/** The department and the location of a filter, as limits of rows: the same assets match. */
export const filteredRows = ({ department, location }: FindingFilter): RowLimits => ({
  departments: department === undefined ? null : [department],
  locations: location === undefined ? null : [location],
});

/** The instant before which a finding has to be due; null: any. */
export const dueLimit = ({ dueBefore, overdueAt }: FindingFilter): number | null =>
  dueBefore === undefined && overdueAt === undefined
    ? null
    : Math.min(dueBefore ?? Number.POSITIVE_INFINITY, overdueAt ?? Number.POSITIVE_INFINITY);

/**
 * Findings that have expired and that the fold has not yet retired (R-EXP-6), as (asset_no, finding_no): mostly
 * none, since the sweep is a minute late at most. They are found by the assets that the sweep looks for.
 */
export const fallenDue = (now: number): RawBuilder<unknown> => sql`
  (select s.asset_no, s.finding_no from asset_seen d join finding_seen s on s.asset_no = d.asset_no
    where d.due_at <= ${instant(now)} and least(s.expires_at, s.retain_until) <= ${instant(now)})`;

/** Conditions on a row `f` of findings, but for its state; each can be looked up in an index of migration 0009, 0021, 0037 or 0042. */
export function findingConditions(filter: FindingFilter, rows: RowLimits): RawBuilder<SqlBool>[] {
  const { type, severityMin, ssvc, cve, technique, source, name, assetId, q, assignees, assigned, tag } =
    filter;
  const { assetType, criticality, ransomware, acceptedUntilBefore } = filter;
  const due = dueLimit(filter);
  const conditions: RawBuilder<SqlBool>[] = [
    ...belongsToVisible(rows, 'f'),
    ...belongsToVisible(filteredRows(filter), 'f'),
  ];
  if (assetType !== undefined) {
    conditions.push(belongsTo(sql`left(a.type, 600) = left(${assetType}, 600)`, sql`a.type = ${assetType}`));
  }
  if (criticality !== undefined) {
    conditions.push(belongsTo(sql`criticality_rank(a.criticality) = criticality_rank(${criticality})`));
  }
  if (ransomware !== undefined) conditions.push(IS_USED_BY_RANSOMWARE);
  if (acceptedUntilBefore !== undefined) {
    conditions.push(
      sql`f.state = 'AcceptedFailed'`,
      sql`(f.body #>> '{accepted,until}')::bigint < ${acceptedUntilBefore}::bigint`,
    );
  }
  if (type !== undefined) conditions.push(sql`f.type = any(${eachOf(type)}::text[])`);
  if (severityMin !== undefined) conditions.push(sql`f.severity_value >= ${Math.fround(severityMin)}::real`);
  if (ssvc !== undefined) conditions.push(isDecided(eachOf(ssvc)));
  if (cve !== undefined) conditions.push(hasId(cve), sql`f.cves @> array[${cve}]`);
  if (technique !== undefined) conditions.push(hasId(technique), sql`f.techniques @> array[${technique}]`);
  if (source !== undefined) {
    conditions.push(sql`left(f.source, 600) = left(${source}, 600)`, sql`f.source = ${source}`);
  }
  if (name !== undefined) conditions.push(isNamedWith(name));
  if (assetId !== undefined) {
    conditions.push(sql`f.asset_no = (select asset_no from assets where id = ${assetId})`);
  }
  if (assignees !== undefined) conditions.push(sql`f.assignee = any(${assignees}::text[])`);
  if (assigned === 'true') conditions.push(sql`f.assignee is not null`);
  if (assigned === 'false') conditions.push(sql`f.assignee is null`);
  if (tag !== undefined) conditions.push(sql`f.tags @> array[${tag}]::text[]`);
  if (due !== null) conditions.push(sql`f.due_ms < ${due}::bigint`);
  if (q !== undefined) {
    conditions.push(sql`f.text_id in (
      select id from finding_texts where words @@ ${searchQuery(q)})`);
  }
  return conditions;
}

const isDecided = (decisions: posture2.SsvcDecision[]) => sql<SqlBool>`
  exists (select from finding_decisions d
    where d.asset_no = f.asset_no and d.finding_no = f.finding_no and d.decision = any(${decisions}::text[]))`;

const IS_USED_BY_RANSOMWARE = sql<SqlBool>`
  exists (select from finding_decisions d
    where d.asset_no = f.asset_no and d.finding_no = f.finding_no and d.kev_ransomware)`;

/** Of an asset `a` to which all conditions apply. */
const belongsTo = (...conditions: RawBuilder<unknown>[]) => sql<SqlBool>`
  exists (select from assets a where a.asset_no = f.asset_no and ${sql.join(conditions, sql` and `)})`;

const hasId = (id: string) => sql<SqlBool>`
  ((f.cves <> '{}' or f.techniques <> '{}') and indexed_ids(f.cves || f.techniques) @> array[left(${id}, 200)])`;

/** `offset 0` keeps the planner from reading the wide rows instead of the index of names. */
const isNamedWith = (part: string) => sql<SqlBool>`
  (f.asset_no, f.finding_no) in (
    select n.asset_no, n.finding_no from findings n
    where n.sort_name like lower(${`%${escapeLike(part)}%`}) offset 0)`;
