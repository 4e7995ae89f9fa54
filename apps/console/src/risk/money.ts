import { number } from '../language/format.ts';

/** Formats amounts of a currency with three significant digits: simulated amounts are not more exact. */
export function moneyFormat(currency: string): (amount: number) => string {
  const options = { style: 'currency', currency, notation: 'compact', maximumSignificantDigits: 3 } as const;
  return (amount) => number(amount, options).replace('-', '−');
}
