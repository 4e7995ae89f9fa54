/** `@` and all signs after it that a name can have, as the service recognizes them. */
export const MENTION = /(?<![\p{L}\p{M}\p{N}@._:/+-])@[\p{L}\p{M}\p{N}@._:+'-]{1,256}/gu;
const MORE_OF_A_NAME = /^[@._:+-]*[\p{L}\p{M}\p{N}]/u;

/** The longest of the names that a mention begins with and that no further part of a name follows, with its `@`. */
export function mentionOf(mention: string, names: readonly string[]): string | undefined {
  return names
    .map((name) => `@${name}`)
    .filter((name) => mention.startsWith(name) && !MORE_OF_A_NAME.test(mention.slice(name.length)))
    .toSorted((a, b) => b.length - a.length)[0];
}
