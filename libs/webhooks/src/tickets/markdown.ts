/**
 * A text as inline code of Markdown: nothing in code is markup, a mention, a reference or a link. The fence is longer
 * than any row of backticks in the text.
 */
export function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRow(text) + 1);
  // A space next to the fence keeps the text apart from it, and is not shown.
  return `${fence} ${text} ${fence}`;
}

/** A text of several lines as a block of code. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRow(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

const longestRow = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
