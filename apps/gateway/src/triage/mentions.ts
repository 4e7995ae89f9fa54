/** After the beginning or a sign that no name has, so that an e-mail address is no mention. */
const MENTION = /(?<![\p{L}\p{N}@._:/-])@([\p{L}\p{N}](?:[\p{L}\p{N}@._:-]{0,254}[\p{L}\p{N}])?)/gu;

/** Names that a text mentions as `@name`, each once, in their order. */
export const mentionedNames = (text: string): string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, name]) => name!)),
];
