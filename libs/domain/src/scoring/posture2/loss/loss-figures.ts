/** What simulated years say of the loss of a year. */
export interface LossFigures {
  /** Annual loss expectancy. */
  mean: number;
  /** Of the mean, by the simulation alone. */
  standardError: number;
  /** Of years with a loss. */
  lossShare: number;
  /** Loss that is exceeded with each probability of `EXCEEDANCES`. */
  exceedance: { probability: number; loss: number }[];
}

/** 0.5, 0.1, 0.05 and 0.01 are the quantiles 0.5, 0.9, 0.95 and 0.99. */
export const EXCEEDANCES: readonly number[] = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

export function lossFigures(years: readonly number[]): LossFigures {
  const sorted = [...years].sort((a, b) => a - b);
  return {
    ...meanOf(years),
    lossShare: years.filter((loss) => loss > 0).length / years.length,
    exceedance: EXCEEDANCES.map((probability) => ({ probability, loss: quantile(sorted, 1 - probability) })),
  };
}

/** The smallest value that is not below this share of the values. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-9) - 1)]!;

function meanOf(values: readonly number[]): Pick<LossFigures, 'mean' | 'standardError'> {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, standardError: Math.sqrt(variance / values.length) };
}

/** Below this many standard errors, a difference is no difference. */
const STANDARD_ERRORS_MIN = 2;

/** Mean loss that a fix avoids, by the same years without it, with what the simulation can tell. */
export function avoidedLoss(
  before: readonly number[],
  after: readonly number[],
): Pick<LossFigures, 'mean' | 'standardError'> & { isDifferent: boolean } {
  const { mean, standardError } = meanOf(before.map((loss, year) => loss - after[year]!));
  const isDifferent = Math.abs(mean) >= STANDARD_ERRORS_MIN * standardError && mean !== 0;
  return { mean, standardError, isDifferent };
}
