import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface PageBlock {
  /** What stands behind the fence; empty: nothing. */
  language: string;
  text: string;
}

/** The fenced blocks of a page in Markdown, in order. @param path from the root of the project */
export function pageBlocks(path: string): PageBlock[] {
  const page = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!.trimEnd(),
  }));
}
