/** After the beginning or a sign that no name has, so that an e-mail address is no mention. */
const MENTION = /(?<![\p{L}\p{M}\p{N}@._:/+-])@([\p{L}\p{M}\p{N}@._:+'-]{1,256})/gu;
/** What can be of the sentence and not of the name: a sign, or the end of a genitive. */
const END = /(?:[@._:+'-]|'[\p{L}\p{M}\p{N}]+)$/u;

/** What a text mentions with `@`: of each the names that it can be, the longest first. */
export const mentionedNames = (text: string): string[][] =>
  [...text.matchAll(MENTION)].map(([, name]) => namesOf(name!));

function namesOf(name: string): string[] {
  const shorter = name.replace(END, '');
  return shorter === '' || shorter === name ? [name] : [name, ...namesOf(shorter)];
}
