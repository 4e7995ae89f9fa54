/** Text arrays as their literals: `unnest` would flatten an array of arrays. */
export const arrayLiteral = (items: readonly (string | null)[]): string =>
  `{${items.map((item) => (item === null ? 'NULL' : quoted(item))).join(',')}}`;

/** Two searches instead of the two replacements of the driver: most texts have nothing to escape. */
const quoted = (text: string): string =>
  text.includes('"') || text.includes('\\')
    ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : `"${text}"`;

/**
 * The literal of an array whose values need no quotes: numbers, booleans, ids and our own keywords. The driver would
 * search each value for quotes.
 */
export const bareLiteral = (items: readonly (number | boolean | string | null)[]): string =>
  `{${items.map((item) => item ?? 'NULL').join(',')}}`;
