/** Text arrays as their literals: `unnest` would flatten an array of arrays. */
export const arrayLiteral = (items: string[]): string =>
  `{${items.map((item) => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;

/**
 * The literal of an array whose values need no quotes: numbers, booleans, ids and our own keywords. The driver would
 * search each value for quotes.
 */
export const bareLiteral = (items: readonly (number | boolean | string | null)[]): string =>
  `{${items.map((item) => item ?? 'NULL').join(',')}}`;
