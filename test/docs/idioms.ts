/** Words that docs/writing.md replaces with standard terms, except those that messages need. */
const IDIOM =
  /\b(?:tells|told|whoever|nobody|anew|hears|meanwhile|goes on|going on|comes? to|came to|stands? still|pass(?:es|ed)? over|(?:became|came) of|asked for|by then|under way|in vain|the way out|shown this once)\b/gi;

/** Every idiom in a text, in order. */
export const idiomsIn = (text: string): string[] => text.match(IDIOM) ?? [];
