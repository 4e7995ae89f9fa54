import { number } from '../language/format.ts';
import { TWO_DECIMALS } from '../parts/digits.ts';

/** Formats with a sign (U+2212 for minus), and two decimals unless other digits are given. */
export const signed = (by: number, digits = TWO_DECIMALS): string =>
  number(by, { ...digits, signDisplay: 'exceptZero' }).replace('-', '−');
