import type { Api } from '../../api/client.ts';
import { LEVELS, type Level } from '../../parts/severity.tsx';

type Stored = Api['LossRangesDto'];

/** An amount as the field has it; '' if the field is empty. */
type Amount = number | string;
export type Bound = 'min' | 'max';
type DraftRange = Record<Bound, Amount>;
export type DraftRanges = Record<Level, DraftRange>;

export interface DraftDepartment {
  /** Does not change when another department is removed. */
  id: number;
  department: string;
  ranges: DraftRanges;
}

/** The edited ranges. */
export interface LossDraft {
  currency: string;
  ranges: DraftRanges;
  departments: readonly DraftDepartment[];
  /** Version of the settings that the draft is based on. */
  version: number;
}

/** Greater than those of departments that were kept before a reload. */
let ids = Date.now();
export const newDepartment = (): DraftDepartment => ({ id: ++ids, department: '', ranges: draftOf({}) });

/** The stored ranges as a draft; empty if none are set. */
export function lossDraftOf({ lossRanges, version }: Api['SettingsDto']): LossDraft {
  return {
    currency: lossRanges?.currency ?? '',
    ranges: draftOf(lossRanges?.byCriticality ?? {}),
    departments: (lossRanges?.byDepartment ?? []).map(({ department, byCriticality }) => ({
      id: ++ids,
      department,
      ranges: draftOf(byCriticality),
    })),
    version,
  };
}

const EMPTY: DraftRange = { min: '', max: '' };

const draftOf = (ranges: Api['CriticalityRangesDto']): DraftRanges => ({
  critical: ranges.critical ?? EMPTY,
  high: ranges.high ?? EMPTY,
  medium: ranges.medium ?? EMPTY,
  low: ranges.low ?? EMPTY,
  info: ranges.info ?? EMPTY,
});

const isEmpty = ({ min, max }: DraftRange): boolean => min === '' && max === '';

/** A range without amounts is omitted. An empty field of another one is sent as it is, so that the service rejects it. */
const rangesOf = (ranges: DraftRanges) =>
  Object.fromEntries(
    LEVELS.filter((level) => !isEmpty(ranges[level])).map((level) => [level, ranges[level]]),
  );

/** The ranges as the service takes them. */
export const lossRangesOf = ({ currency, ranges, departments }: LossDraft): Stored =>
  ({
    currency: currency.trim().toUpperCase(),
    byCriticality: rangesOf(ranges),
    byDepartment: departments.map(({ department, ranges: own }) => ({
      department,
      byCriticality: rangesOf(own),
    })),
  }) as Stored;

/** Number of changed fields; an added or removed department counts as one. */
export function lossChangeCount(draft: LossDraft, stored: LossDraft): number {
  const before = new Map(stored.departments.map((one) => [one.id, one]));
  const kept = draft.departments.filter(({ id }) => before.has(id));
  const ofDepartments = kept.map(
    (one) =>
      Number(one.department !== before.get(one.id)!.department) +
      rangeChanges(one.ranges, before.get(one.id)!.ranges),
  );
  return (
    Number(draft.currency !== stored.currency) +
    rangeChanges(draft.ranges, stored.ranges) +
    ofDepartments.reduce((sum, count) => sum + count, 0) +
    (draft.departments.length - kept.length) +
    (stored.departments.length - kept.length)
  );
}

const rangeChanges = (draft: DraftRanges, stored: DraftRanges): number =>
  LEVELS.flatMap((level) => [
    draft[level].min !== stored[level].min,
    draft[level].max !== stored[level].max,
  ]).filter(Boolean).length;
