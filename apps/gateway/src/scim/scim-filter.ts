/** An attribute, and the value that it must equal. */
export type Comparison = readonly [attribute: string, value: string | boolean];

export const FILTER_CHARACTERS_MAX = 1_000;

// The alternatives within quotes exclude each other, so that a text is read in linear time.
const COMPARISON =
  /(?:([a-z$][\w.$]*) +eq +("(?:[^"\\]|\\.)*"|true|false)|([a-z]\w*)\[ *value +eq +("(?:[^"\\]|\\.)*"|true|false) *\])(?: +and +|$)/giy;

/**
 * Reads `userName eq "ana" and active eq true`: `eq` joined by `and`. `members[value eq "…"]` is the comparison of
 * `members.value`. The parser of the library must not get the text of a client: it writes the parts of each name to
 * plain objects, so that `__proto__.x` changes all objects of the process, and needs exponential time for some texts.
 * Null if the text is another filter.
 */
export function comparisonsOf(filter: string): Comparison[] | null {
  const text = filter.trim();
  const matches = [...text.matchAll(COMPARISON)];
  if (text === '' || matches.map(([whole]) => whole).join('') !== text) return null;
  const comparisons = matches.flatMap(([, name, literal, list, listed]): Comparison[] => {
    const value = comparedValue((literal ?? listed)!);
    return value === null ? [] : [[name ?? `${list}.value`, value]];
  });
  return comparisons.length === matches.length ? comparisons : null;
}

/** Null if it has an escape sequence that JSON does not know, or of a control character. */
function comparedValue(literal: string): string | boolean | null {
  if (!literal.startsWith('"')) return literal.toLowerCase() === 'true';
  try {
    const text = JSON.parse(literal) as string;
    return /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}
