/** `@` and one of the names, the longest first, that no further part of a name follows. */
export function mentionOf(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const anyName = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}@._:/+-])@(?:${anyName || '(?!)'})(?![@._:+-]*[\p{L}\p{N}])`,
    'gu',
  );
}
