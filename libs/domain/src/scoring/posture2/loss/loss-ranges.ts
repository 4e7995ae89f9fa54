import type { Level } from '../../../events.ts';
import { isSameName } from '../../../organization/names.ts';
import { type LossRange, lossRangeProblem } from './loss-range.ts';

/** Ranges by the criticality of the asset; a level without a range has no loss. */
export type CriticalityRanges = Partial<Record<Level, LossRange>>;

/** The setting. */
export interface LossRanges {
  /** ISO 4217. */
  currency: string;
  byCriticality: CriticalityRanges;
  /** Ranges of a department replace those above, level by level. */
  byDepartment: { department: string; byCriticality: CriticalityRanges }[];
}

/** Criticality of an asset that nobody rated, as for its score. */
const UNRATED: Level = 'medium';

/** Finds the range of an asset; null if none is set for it. @param ranges valid ones (`lossRangesProblem`) */
export function lossRangeFinder(
  ranges: LossRanges,
): (asset: { criticality: Level | null; department: string }) => LossRange | null {
  const own = new Map(
    ranges.byDepartment.map(({ department, byCriticality }) => [department.toLowerCase(), byCriticality]),
  );
  return ({ criticality, department }) => {
    const level = criticality ?? UNRATED;
    return own.get(department.toLowerCase())?.[level] ?? ranges.byCriticality[level] ?? null;
  };
}

/** What is wrong with these ranges, with the path of the wrong one, in words for the user; null if they are valid. */
export function lossRangesProblem({ byCriticality, byDepartment }: LossRanges): string | null {
  const places = [
    { path: 'byCriticality', ranges: byCriticality },
    ...byDepartment.map((one, i) => ({
      path: `byDepartment.${i}.byCriticality`,
      ranges: one.byCriticality,
    })),
  ];
  for (const { path, ranges } of places) {
    for (const [level, range] of Object.entries(ranges)) {
      const problem = range && lossRangeProblem(range);
      if (problem) return `${path}.${level}: ${problem}`;
    }
  }
  const repeated = byDepartment.findIndex(({ department }, i) =>
    byDepartment.slice(0, i).some((other) => isSameName(other.department, department)),
  );
  if (repeated !== -1) return `byDepartment.${repeated}: a department can be named once`;
  const isEmpty = places.every(({ ranges }) => Object.values(ranges).every((range) => !range));
  return isEmpty ? 'byCriticality: at least one range must be set, or lossRanges must be null' : null;
}
