/** What one compromised asset may cost: 5 % and 95 % points of a lognormal distribution, in the currency of the site. */
export interface LossRange {
  min: number;
  max: number;
}

/** Parameters of the logarithm of the loss. */
export interface Lognormal {
  mean: number;
  deviation: number;
}

/** 95 % point of the standard normal distribution. */
const POINT_95 = 1.6448536269514722;

/** @param range a valid one (`lossRangeProblem`) */
export const lognormalOf = ({ min, max }: LossRange): Lognormal => ({
  mean: (Math.log(min) + Math.log(max)) / 2,
  deviation: (Math.log(max) - Math.log(min)) / (2 * POINT_95),
});

/** Bounds of an amount: sums of losses stay finite. */
export const LOSS_MIN = 0.01;
export const LOSS_MAX = 1e15;

/** What is wrong with a range, in words for the user; null if it is valid. */
export function lossRangeProblem({ min, max }: LossRange): string | null {
  const isAmount = (amount: number) => amount >= LOSS_MIN && amount <= LOSS_MAX;
  if (!isAmount(min) || !isAmount(max)) return `min and max must be from ${LOSS_MIN} to ${LOSS_MAX}`;
  return min > max ? 'min must not be above max' : null;
}
