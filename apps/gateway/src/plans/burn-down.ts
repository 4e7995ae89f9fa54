import { DAY_MS, type FindingState, type Since } from '#libs/domain';

/** Points of a burn-down besides its beginning and its end. */
const DAYS_MAX = 366;

/** How many findings of a plan are in which state. */
export interface PlanCounts {
  /** Failed or Not Assessed. */
  open: number;
  /** Qualified or Retired. */
  fixed: number;
  /** Accepted Failed. */
  accepted: number;
}

const COUNTED_AS: Record<FindingState, keyof PlanCounts> = {
  Failed: 'open',
  NotAssessed: 'open',
  Qualified: 'fixed',
  Retired: 'fixed',
  AcceptedFailed: 'accepted',
};

export function countStates(states: Iterable<FindingState>): PlanCounts {
  const counts = { open: 0, fixed: 0, accepted: 0 };
  for (const state of states) counts[COUNTED_AS[state]] += 1;
  return counts;
}

/** The states of a finding, in the order of their instants (epoch ms). */
export interface FindingStates {
  /** Before the first change; null: the finding did not exist. */
  first: FindingState | null;
  changes: Since<FindingState>[];
}

/** A plan at an instant, in epoch milliseconds. */
export interface BurnDownPoint extends PlanCounts {
  at: number;
}

/**
 * The beginning, the ends of days (UTC) until the end, and the end. Of a period that is longer than a year, every second
 * day, or fewer.
 */
export function burnDownInstants(from: number, to: number): number[] {
  if (to <= from) return [from];
  const step = DAY_MS * Math.ceil((to - from) / DAY_MS / DAYS_MAX);
  const instants = [from];
  for (let at = (Math.floor(from / DAY_MS) + 1) * DAY_MS; at < to; at += step) instants.push(at);
  return [...instants, to];
}

/** The states at each instant, counted. @param instants ascending */
export function burnDown(findings: readonly FindingStates[], instants: readonly number[]): BurnDownPoint[] {
  const points = instants.map((at) => ({ at, open: 0, fixed: 0, accepted: 0 }));
  for (const { first, changes } of findings) {
    let state = first;
    let next = 0;
    for (const point of points) {
      for (; next < changes.length && changes[next]!.from <= point.at; next += 1)
        state = changes[next]!.value;
      if (state !== null) point[COUNTED_AS[state]] += 1;
    }
  }
  return points;
}
