import type { Level } from '../../../events.ts';
import type { LossRange } from './loss-range.ts';

/** Ranges by the criticality of the asset; a level without a range has no loss. */
export type CriticalityRanges = Partial<Record<Level, LossRange>>;

/** The setting, as the log and the tables have it. */
export interface LossRanges {
  /** ISO 4217. */
  currency: string;
  byCriticality: CriticalityRanges;
  /** Ranges of a department replace those above, level by level. */
  byDepartment: { department: string; byCriticality: CriticalityRanges }[];
}

/** Criticality of an asset that nobody rated, as for its score. */
const UNRATED: Level = 'medium';

/** Finds the range of an asset; null if none is set for it. */
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
