const EXCERPT_ITEMS = 20;
/** More than the schema allows, so that too many are still seen. */
const EXCERPT_TAGS = 250;

/** The start of every list and of every tag map, so that the number of errors listed is bounded. */
export function excerptOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, EXCERPT_ITEMS).map((item) => excerptOf(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const excerpt = key === 'tags' ? entries.slice(0, EXCERPT_TAGS) : entries;
  return Object.fromEntries(excerpt.map(([name, child]) => [name, excerptOf(child, name)]));
}
