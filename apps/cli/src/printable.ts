/** Control characters and marks of writing direction. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A sender's text on one line, without what would move the cursor of a terminal or turn its line around. */
export const printable = (text: string): string =>
  text.replace(/\s+/gu, ' ').trim().replace(UNPRINTABLE, '\ufffd');
