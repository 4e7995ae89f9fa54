import type { backtest } from '#libs/domain';

/** A figure with its interval, `0.712 [0.604, 0.801]`. */
export const figureText = ({ value, interval }: backtest.Figure, digits: number): string =>
  interval
    ? `${value.toFixed(digits)} [${interval.low.toFixed(digits)}, ${interval.high.toFixed(digits)}]`
    : value.toFixed(digits);

/** The same of a difference, with its sign. */
export function differenceText({ value, interval }: backtest.Figure, digits: number): string {
  const signed = (figure: number) => `${figure < 0 ? '−' : '+'}${Math.abs(figure).toFixed(digits)}`;
  return interval ? `${signed(value)} [${signed(interval.low)}, ${signed(interval.high)}]` : signed(value);
}

/** A likelihood, which can be very small: `0.0123`, `1.23e-5`, `0`. */
export function likelihoodText(likelihood: number): string {
  if (likelihood === 0) return '0';
  return likelihood < 0.001 ? likelihood.toExponential(2) : likelihood.toFixed(4);
}

export const percentText = (share: number): string => `${(100 * share).toPrecision(2)} %`;
