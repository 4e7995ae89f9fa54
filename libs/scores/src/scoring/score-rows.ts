import { isSameRisk, type StoredRisk, type StoredRiskStep } from '#libs/domain';
import type { GroupedAsset } from './read-timelines.ts';

/** A row of `score_history`, without its asset: valid from an instant (epoch ms) until before another. */
export interface ScoreRow {
  validFrom: number;
  /** Infinity while it lasts. */
  validTo: number;
  risk: StoredRisk;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
}

/** The rows of an asset from the first step on, together with the one of `stored` that the first step cuts short. */
export function rowsOf(stored: ScoreRow[], steps: StoredRiskStep<GroupedAsset>[]): ScoreRow[] {
  const begin = steps[0]!.from;
  const rows = stored.filter(({ validFrom }) => validFrom < begin).map((row) => ({ ...row, validTo: begin }));
  steps.forEach(({ from, value }, i) => {
    if (!value) return;
    const row = rowOf(value, from, steps[i + 1]?.from ?? Number.POSITIVE_INFINITY);
    const last = rows.at(-1);
    if (last?.validTo === from && isSame(last, row)) last.validTo = row.validTo;
    else rows.push(row);
  });
  return rows;
}

function rowOf(
  { asset, risk }: NonNullable<StoredRiskStep<GroupedAsset>['value']>,
  validFrom: number,
  validTo: number,
): ScoreRow {
  const { type, attackSurface, department, location } = asset;
  return { validFrom, validTo, risk, type, attackSurface, department, location };
}

const isSame = (a: ScoreRow, b: ScoreRow): boolean =>
  isSameRisk(a.risk, b.risk) &&
  a.type === b.type &&
  a.attackSurface === b.attackSurface &&
  a.department === b.department &&
  a.location === b.location;

export const areSame = (some: ScoreRow[], others: ScoreRow[]): boolean =>
  some.length === others.length &&
  some.every((row, i) => {
    const other = others[i]!;
    return row.validFrom === other.validFrom && row.validTo === other.validTo && isSame(row, other);
  });

/** The current row; undefined if the asset is deleted. */
export const openRow = (rows: ScoreRow[]): ScoreRow | undefined =>
  rows.findLast(({ validTo }) => validTo === Number.POSITIVE_INFINITY);

/** Since when the current score is valid, in any groups of the asset; undefined if it is deleted. */
export function scoredSince(rows: ScoreRow[]): number | undefined {
  const open = openRow(rows);
  let since = open?.validFrom;
  for (const { validFrom, validTo, risk } of rows.toReversed()) {
    if (validTo === since && isPublishedSame(risk, open!.risk)) since = validFrom;
  }
  return since;
}

/** Whether the published fields are equal: the score and the best likelihood. */
export const isPublishedSame = (a: StoredRisk, b: StoredRisk): boolean =>
  (a.score === null && b.score === null) ||
  (a.model === b.model && a.score === b.score && bestOf(a) === bestOf(b));

/** The likelihood that is shown, in the unit of its model. */
const bestOf = (risk: StoredRisk): number | null =>
  risk.model === 'posture-1' ? risk.likelihood : (risk.likelihoods?.best ?? null);
