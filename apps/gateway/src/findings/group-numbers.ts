import { type RawBuilder, sql } from 'kysely';
import { type FindingState, type Level, SEVERITY_LEVELS } from '#libs/domain';
import { FINDING_STATES } from './finding.dto.ts';
import type { FindingGroupDto } from './finding-groups.dto.ts';

/** Numbers of a group of findings; of a level, how many have it or a higher one. Some states cannot occur. */
export type GroupNumbers = { findings: number; severityMax: number } & {
  [name in FindingState | Level]?: number;
};

/** All but the lowest, which every finding has or exceeds. */
const COUNTED_LEVELS = SEVERITY_LEVELS.slice(0, -1);

const countedNames = (states: readonly FindingState[]) => [
  ...states,
  ...COUNTED_LEVELS.map(([level]) => level),
];

/**
 * SQL columns of `GroupNumbers`, of findings. Few conditions, because each is evaluated for each finding.
 * @param states that can occur
 * @param state SQL of the state of a finding
 * @param severity SQL of its severity, a real
 */
export function countedNumbers(
  states: readonly FindingState[],
  state: RawBuilder<unknown>,
  severity: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const counted = (name: string, condition: RawBuilder<unknown>) =>
    sql`count(*) filter (where ${condition})::int as ${sql.ref(name)}`;
  return sql.join([
    sql`count(*)::int as findings, max(${severity}) as "severityMax"`,
    ...states.map((one) => counted(one, sql`${state} = ${sql.lit(one)}`)),
    ...COUNTED_LEVELS.map(([level, from]) =>
      counted(level, sql`${severity} >= ${sql.lit(Math.fround(from))}::real`),
    ),
  ]);
}

/** SQL columns of `GroupNumbers`, of rows `n` that have them. */
export const summedNumbers = (states: readonly FindingState[]): RawBuilder<unknown> =>
  sql.join([
    sql`sum(n.findings)::int as findings, max(n."severityMax") as "severityMax"`,
    ...countedNames(states).map((name) => sql`sum(n.${sql.ref(name)})::int as ${sql.ref(name)}`),
  ]);

/** A group with the numbers of another part of it. */
export function withMore<Group extends GroupNumbers>(
  group: Group,
  more: GroupNumbers,
  states: readonly FindingState[],
): Group {
  const sums = countedNames(states).map((name) => [name, (group[name] ?? 0) + (more[name] ?? 0)]);
  return {
    ...group,
    ...Object.fromEntries(sums),
    findings: group.findings + more.findings,
    severityMax: Math.max(group.severityMax, more.severityMax),
  };
}

/** The numbers as an answer has them: those of each level, without zeros. */
export function shownNumbers(
  numbers: GroupNumbers,
): Pick<FindingGroupDto, 'findings' | 'severityMax' | 'state' | 'severityLevel'> {
  const { findings, severityMax } = numbers;
  const upTo = SEVERITY_LEVELS.map(([level]) => numbers[level] ?? findings);
  return {
    findings,
    severityMax,
    state: withoutZeros(FINDING_STATES.map((state) => [state, numbers[state] ?? 0])),
    severityLevel: withoutZeros(SEVERITY_LEVELS.map(([level], i) => [level, upTo[i]! - (upTo[i - 1] ?? 0)])),
  };
}

const withoutZeros = (counts: [name: string, count: number][]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0));
