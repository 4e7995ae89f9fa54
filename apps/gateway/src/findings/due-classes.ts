import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  DAY_MS,
  type FindingState,
  LEVELS_BY_RANK,
  type Level,
  NO_SLA_FACTS,
  OPEN_STATES,
  posture2,
  type Sla,
  type SlaFacts,
  severityLevelOf,
  slaDays,
} from '#libs/domain';

/**
 * Findings that are due a fixed time after a stored one: an index has them in the order of their due dates (ADR-0122). No
 * finding is in two classes.
 */
export interface DueClass {
  /** The state of its findings; null: any. */
  state: FindingState | null;
  /** SQL of the stored time, in epoch milliseconds. */
  since: RawBuilder<unknown>;
  afterMs: number;
  /** SQL of the join of their decisions, which are unique; empty: without one. A semi-join would be planned too late. */
  join: RawBuilder<unknown>;
  conditions: RawBuilder<SqlBool>[];
}

/** What the catalogues can say of a finding that has a decision. */
const DECIDED: readonly SlaFacts[] = posture2.SSVC_DECISIONS.flatMap((decision) =>
  [true, false].map((isKnownExploited) => ({ decision, isKnownExploited })),
);

/** The classes of rows of findings that are called `row`; of severities that are not below `severityMin`. */
export function dueClasses(sla: Sla | null, row: 'f' | 'c', severityMin = 0): DueClass[] {
  const f = sql.raw(row);
  const since = sql`${f}.due_ms`;
  const setByUsers = {
    state: null,
    since,
    afterMs: 0,
    join: sql``,
    conditions: [sql<SqlBool>`${since} is not null`],
  };
  if (sla === null) return [setByUsers];
  const lowest = LEVELS_BY_RANK.indexOf(severityLevelOf(severityMin));
  const levels = LEVELS_BY_RANK.flatMap((level, rank) =>
    rank < lowest ? [] : levelClasses(sla, level, rank, f),
  );
  return [setByUsers, ...levels];
}

function levelClasses(sla: Sla, level: Level, rank: number, f: RawBuilder<unknown>): DueClass[] {
  const isOfLevel = sql<SqlBool>`severity_rank(${f}.severity_value) = ${sql.lit(rank)}`;
  const own = slaDays(sla, level, NO_SLA_FACTS);
  const daysOf = (facts: SlaFacts) => slaDays(sla, level, facts);
  const stricter = DECIDED.filter((facts) => daysOf(facts) !== own);
  const decided = [...new Set(stricter.map(daysOf))].flatMap((days) => {
    const isDecided = decidedAs(stricter.filter((facts) => daysOf(facts) === days));
    return failingClasses(f, { days: days!, join: joinOfDecisions(f), conditions: [isOfLevel, isDecided] });
  });
  if (own === null) return decided;
  const undecided = stricter.length === 0 ? [] : [isNotDecided(f, stricter)];
  const ofSeverity = failingClasses(f, { days: own, join: sql``, conditions: [isOfLevel, ...undecided] });
  return [...decided, ...ofSeverity];
}

/** Failing periods that began under rules 6, and those whose beginning is not stored (R-SLA-1). */
function failingClasses(
  f: RawBuilder<unknown>,
  { days, join, conditions }: Pick<DueClass, 'join' | 'conditions'> & { days: number },
): DueClass[] {
  const isIn = (state: FindingState) => sql<SqlBool>`${f}.state = ${sql.lit(state)}`;
  const shared = { afterMs: days * DAY_MS, join };
  const begun = OPEN_STATES.map((state) => ({
    ...shared,
    state,
    since: sql`${f}.failed_since_ms`,
    conditions: [isIn(state), hasBegun(f), ...conditions],
  }));
  const notStored = {
    ...shared,
    state: 'Failed' as const,
    since: sql`(${f}.body ->> 'firstSeen')::bigint`,
    conditions: [isIn('Failed'), isNotStored(f), ...conditions],
  };
  return [...begun, notStored];
}

const hasBegun = (f: RawBuilder<unknown>) => sql<SqlBool>`
  (${f}.failed_since_ms is not null and ${f}.settled_at_ms is null and ${f}.due_ms is null)`;

const isNotStored = (f: RawBuilder<unknown>) => sql<SqlBool>`
  (${f}.failed_since_ms is null and ${f}.due_ms is null)`;

const joinOfDecisions = (f: RawBuilder<unknown>) => sql`
  join finding_decisions d on d.asset_no = ${f}.asset_no and d.finding_no = ${f}.finding_no`;

/** A subplan, which keeps the order of the index: a join of most findings would sort them. */
const isNotDecided = (f: RawBuilder<unknown>, facts: readonly SlaFacts[]) => sql<SqlBool>`
  (select true from finding_decisions d
    where d.asset_no = ${f}.asset_no and d.finding_no = ${f}.finding_no and ${decidedAs(facts)}) is null`;

/** A decision `d` in one of these ways. */
function decidedAs(facts: readonly SlaFacts[]): RawBuilder<SqlBool> {
  const known = decisionsOf(facts, true);
  const others = decisionsOf(facts, false);
  if (known.join() === others.join()) return sql`(true${amongThem(known)})`;
  const ways = [
    ...(known.length === 0 ? [] : [sql`d.kev_added is not null${amongThem(known)}`]),
    ...(others.length === 0 ? [] : [sql`d.kev_added is null${amongThem(others)}`]),
  ];
  return sql`(${sql.join(ways, sql` or `)})`;
}

const decisionsOf = (facts: readonly SlaFacts[], isKnownExploited: boolean): string[] =>
  facts.flatMap((one) => (one.isKnownExploited === isKnownExploited ? [one.decision!] : []));

const amongThem = (decisions: string[]): RawBuilder<unknown> =>
  decisions.length === posture2.SSVC_DECISIONS.length
    ? sql``
    : sql` and d.decision = any(${decisions}::text[])`;

/** From when on, and before when, findings are due, in epoch milliseconds. */
export interface DueWithin {
  from?: number;
  before?: number;
}

/** Conditions on the stored time of a class. */
export const isWithin = (
  { since, afterMs }: DueClass,
  { from, before }: DueWithin,
): RawBuilder<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`${since} >= ${from - afterMs}::bigint`]),
  ...(before === undefined ? [] : [sql<SqlBool>`${since} < ${before - afterMs}::bigint`]),
];

/**
 * Findings `f` that are due within a time, of any class.
 * @param ofSla conditions on findings `c` that are due by the SLA
 */
export function isDue(
  sla: Sla | null,
  within: DueWithin,
  ofSla: readonly RawBuilder<SqlBool>[],
): RawBuilder<SqlBool> {
  const classes = dueClasses(sla, 'c').map(
    (one) => sql`
      select c.asset_no, c.finding_no from findings c ${one.join}
      where ${sql.join(
        [...one.conditions, ...isWithin(one, within), ...(one.state === null ? [] : ofSla)],
        sql` and `,
      )}`,
  );
  return sql`(f.asset_no, f.finding_no) in (${sql.join(classes, sql` union all `)})`;
}

/** SQL of the days for a severity without a decision, in milliseconds; null if there are none. */
export function slaMs(sla: Sla | null, severity: RawBuilder<unknown>): RawBuilder<unknown> {
  const levels = LEVELS_BY_RANK.flatMap((level, rank) => {
    const days = sla && slaDays(sla, level, NO_SLA_FACTS);
    return days === null ? [] : [sql`when ${sql.lit(rank)} then ${days * DAY_MS}::bigint`];
  });
  return levels.length === 0
    ? sql`null::bigint`
    : sql`(case severity_rank(${severity}) ${sql.join(levels, sql` `)} end)`;
}

/** Qualified findings `f` whose failing period ended by their due date, or after it. */
export function isRemedied(sla: Sla | null, outcome: 'met' | 'missed'): RawBuilder<SqlBool> {
  const ms = slaMs(sla, sql`c.severity_value`);
  return sql`(f.asset_no, f.finding_no) in (
    select c.asset_no, c.finding_no from findings c
    where c.state = 'Qualified' and c.settled_at_ms is not null
      and c.settled_at_ms ${outcome === 'met' ? sql`<=` : sql`>`} coalesce(c.due_ms, c.failed_since_ms + ${ms}))`;
}
