/** Formats amounts of a currency with three significant digits: simulated amounts are not more exact. */
export function moneyFormat(currency: string): (amount: number) => string {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumSignificantDigits: 3,
  });
  return (amount) => format.format(amount).replace('-', '−');
}
