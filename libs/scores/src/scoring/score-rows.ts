import { fromMillionths, HUNDREDTHS, type ScoreStep } from '#libs/domain';
import { likelihoodOf, pointsOf } from '#libs/views';
import type { GroupedAsset } from './read-timelines.ts';

/** A row of `score_history`, without its asset: valid from an instant (epoch ms) until before another. */
export interface ScoreRow {
  validFrom: number;
  /** Infinity while it lasts. */
  validTo: number;
  /** Hundredths of a point; null where nothing counts. */
  score: number | null;
  /** Millionths. */
  likelihood: number | null;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
}

/** The rows of an asset from the first step on, together with the one of `stored` that the first step cuts short. */
export function rowsOf(stored: ScoreRow[], steps: ScoreStep<GroupedAsset>[]): ScoreRow[] {
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
  { asset, score, breachLikelihood }: NonNullable<ScoreStep<GroupedAsset>['value']>,
  validFrom: number,
  validTo: number,
): ScoreRow {
  const { type, attackSurface, department, location } = asset;
  return {
    validFrom,
    validTo,
    score: score === null ? null : Math.round(score * HUNDREDTHS),
    likelihood: breachLikelihood === null ? null : Math.round(breachLikelihood / fromMillionths(1)),
    type,
    attackSurface,
    department,
    location,
  };
}

const isSame = (a: ScoreRow, b: ScoreRow): boolean =>
  a.score === b.score &&
  a.likelihood === b.likelihood &&
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

/** The row that holds now; undefined where the asset is deleted. */
export const openRow = (rows: ScoreRow[]): ScoreRow | undefined =>
  rows.findLast(({ validTo }) => validTo === Number.POSITIVE_INFINITY);

/** Since when the score that holds now does, whatever groups the asset was in meanwhile; undefined where it is deleted. */
export function scoredSince(rows: ScoreRow[]): number | undefined {
  const open = openRow(rows);
  let since = open?.validFrom;
  for (const { validFrom, validTo, score, likelihood } of rows.toReversed()) {
    if (validTo === since && score === open!.score && likelihood === open!.likelihood) since = validFrom;
  }
  return since;
}

/** Of a row, as the model says it. */
export const scoredAssetOf = ({ score, likelihood }: Pick<ScoreRow, 'score' | 'likelihood'>) => ({
  score: pointsOf(score),
  breachLikelihood: likelihoodOf(likelihood),
});
