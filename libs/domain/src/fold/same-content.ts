/**
 * Deep equality of JSON-like values only by content. Decoded Avro records are instances of generated classes, and
 * the same record read back from the database is not: the equality of the usual libraries, which compares
 * constructors, would see a change in every resent signal.
 */
export function sameContent(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameContent(item, b[i]));
  }
  // Without `Object.entries`: this compares what every signal repeats, and the pairs would be its only garbage.
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameContent(left[key], right[key]))
  );
}
