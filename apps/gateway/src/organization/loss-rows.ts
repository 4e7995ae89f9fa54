import { posture2 } from '#libs/domain';
import { LEVELS } from '../assets/levels.ts';
import { DEPARTMENTS_MAX, type LossRangeDto } from './settings.dto.ts';

/** The setting `loss` by the stored ranges (ADR-0160). */
export function lossRows(ranges: posture2.LossRanges | null): LossRangeDto[] {
  if (!ranges) return [];
  const { currency, byCriticality, byDepartment } = ranges;
  return [{ department: null, byCriticality }, ...byDepartment].flatMap(
    ({ department, byCriticality: own }) =>
      LEVELS.flatMap((criticality) => {
        const range = own[criticality];
        return range ? [{ currency, department, criticality, ...range }] : [];
      }),
  );
}

/** The ranges to store; null for no rows. @param rows valid ones (`lossRowsProblem`) */
export function lossRangesOf(rows: readonly LossRangeDto[]): posture2.LossRanges | null {
  const [first] = rows;
  if (!first) return null;
  const ownRows = departmentsOf(rows).map((key) => rows.filter((row) => departmentOf(row) === key));
  return {
    currency: first.currency,
    byCriticality: rangesOf(rows.filter((row) => departmentOf(row) === null)),
    byDepartment: ownRows.map((own) => ({ department: own[0]!.department!, byCriticality: rangesOf(own) })),
  };
}

const rangesOf = (rows: readonly LossRangeDto[]): posture2.CriticalityRanges =>
  Object.fromEntries(rows.map(({ criticality, min, max }) => [criticality, { min, max }]));

/** In lower case; null for all departments. */
const departmentOf = ({ department }: LossRangeDto): string | null => department?.toLowerCase() ?? null;

const departmentsOf = (rows: readonly LossRangeDto[]): string[] => [
  ...new Set(rows.map(departmentOf).filter((department) => department !== null)),
];

/** What is wrong with these rows, with the path of the wrong one, in words for the user; null if they are valid. */
export function lossRowsProblem(rows: readonly LossRangeDto[]): string | null {
  const places = rows.map((row) => JSON.stringify([departmentOf(row), row.criticality]));
  for (const [i, row] of rows.entries()) {
    const problem = posture2.lossRangeProblem(row);
    if (problem) return `loss.${i}: ${problem}`;
    if (row.currency !== rows[0]!.currency) return `loss.${i}.currency must be the same in all rows`;
    if (places.indexOf(places[i]!) < i)
      return `loss.${i}: another row has the same department and criticality`;
  }
  return departmentsOf(rows).length > DEPARTMENTS_MAX
    ? `loss must contain at most ${DEPARTMENTS_MAX} departments`
    : null;
}
