const ANY = '*';

/** A received name must not be the key of another machine in the log. */
const LIKE_A_SUBJECT = 'machine:~';

/**
 * Which machines are subjects: those whose entity key, as received, matches one of the patterns.
 * @param patterns names as in entity keys, in any case, with commas between; `*` stands for any characters
 */
export function sealedMachines(patterns: string): (entityKey: string) => boolean {
  const pieces = patterns
    .split(',')
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '')
    .map((pattern) => `machine:${pattern}`.split(ANY));
  return (entityKey) =>
    entityKey.startsWith(LIKE_A_SUBJECT) || pieces.some((parts) => isMatch(entityKey, parts));
}

/** In linear time: each part is found at its first place. */
function isMatch(text: string, [first = '', ...parts]: string[]): boolean {
  if (!text.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return text === first;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
