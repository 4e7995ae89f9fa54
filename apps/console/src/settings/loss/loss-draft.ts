import type { Api } from '../../api/client.ts';
import { LEVELS, type Level } from '../../parts/severity.tsx';
import { lossRangesOf, type Ranges } from './loss-ranges.ts';

type Row = Api['LossRangeDto'];

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
export function lossDraftOf({ loss, version }: Api['SettingsDto']): LossDraft {
  const stored = lossRangesOf(loss);
  return {
    currency: stored?.currency ?? '',
    ranges: draftOf(stored?.byCriticality ?? {}),
    departments: (stored?.byDepartment ?? []).map(({ department, byCriticality }) => ({
      id: ++ids,
      department,
      ranges: draftOf(byCriticality),
    })),
    version,
  };
}

const EMPTY: DraftRange = { min: '', max: '' };

const draftOf = (ranges: Ranges): DraftRanges => ({
  critical: ranges.critical ?? EMPTY,
  high: ranges.high ?? EMPTY,
  medium: ranges.medium ?? EMPTY,
  low: ranges.low ?? EMPTY,
  info: ranges.info ?? EMPTY,
});

const isEmpty = ({ min, max }: DraftRange): boolean => min === '' && max === '';

/** A row as the service takes it. */
interface PlacedRow {
  /** Path of its range in the form, such as `byDepartment.0.byCriticality.low`; without the level for a missing range. */
  place: string;
  row: Row;
}

/**
 * The rows as the service takes them. A range without amounts has none. What is missing is sent without amounts, so that
 * the service rejects it: the other bound of a range, and the only range of a department or of all.
 */
export function lossRowsOf({ currency, ranges, departments }: LossDraft): PlacedRow[] {
  const sections = [
    { path: 'byCriticality', department: null, ranges, mayBeEmpty: departments.length > 0 },
    ...departments.map((one, i) => ({
      ...one,
      path: ['byDepartment', i, 'byCriticality'].join('.'),
      mayBeEmpty: false,
    })),
  ];
  return sections.flatMap(({ path, department, ranges: own, mayBeEmpty }) => {
    const rowOf = (criticality: Level) =>
      ({ currency: currency.trim().toUpperCase(), department, criticality, ...own[criticality] }) as Row;
    const set = LEVELS.filter((level) => !isEmpty(own[level]));
    if (set.length > 0 || mayBeEmpty)
      return set.map((level) => ({ place: `${path}.${level}`, row: rowOf(level) }));
    return [{ place: path, row: rowOf('medium') }];
  });
}

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
