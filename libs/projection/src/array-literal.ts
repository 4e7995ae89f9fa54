/** Text arrays as their literals: `unnest` would flatten an array of arrays. */
export const arrayLiteral = (items: string[]): string =>
  `{${items.map((item) => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;

/**
 * An array of what needs no quotes, as its literal: numbers, booleans, ids, and words of our own. The driver would look
 * for quotes in each of them.
 */
export const bareLiteral = (items: readonly (number | boolean | string | null)[]): string =>
  `{${items.map((item) => item ?? 'NULL').join(',')}}`;
