/** Digits of numbers, for `number`. */
type Digits = Intl.NumberFormatOptions;

/** Of likelihoods and counts that can be small, as with posture-2. */
export const TWO_DIGITS: Digits = { maximumSignificantDigits: 2 };
export const TWO_DECIMALS: Digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const ONE_DECIMAL: Digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const isSmall = (percents: number) => Math.abs(percents) < 0.01;

export function percentDigits(percents: number): Digits {
  if (isSmall(percents)) return TWO_DIGITS;
  return percents < 1 ? TWO_DECIMALS : ONE_DECIMAL;
}

/** Of a change in percentage points. */
export const changeDigits = (by: number): Digits => (isSmall(by) ? TWO_DIGITS : TWO_DECIMALS);
