import type { Api } from '../../api/client.ts';
import type { Level } from '../../parts/severity.tsx';

type Row = Api['LossRangeDto'];

/** Ranges by criticality. */
export type Ranges = Partial<Record<Level, Pick<Row, 'min' | 'max'>>>;

/** The rows of the setting, by department. */
export interface LossRanges {
  currency: string;
  /** Of all departments. */
  byCriticality: Ranges;
  byDepartment: { department: string; byCriticality: Ranges }[];
}

/** Null without rows. */
export function lossRangesOf(rows: readonly Row[]): LossRanges | null {
  const [first] = rows;
  if (!first) return null;
  const rangesOf = (wanted: string | null): Ranges =>
    Object.fromEntries(
      rows
        .filter(({ department = null }) => department === wanted)
        .map(({ criticality, min, max }) => [criticality, { min, max }]),
    );
  const departments = new Set(rows.flatMap(({ department }) => department ?? []));
  return {
    currency: first.currency,
    byCriticality: rangesOf(null),
    byDepartment: [...departments].map((department) => ({ department, byCriticality: rangesOf(department) })),
  };
}
