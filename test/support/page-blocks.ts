import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface PageBlock {
  /** The info string of the fence; can be empty. */
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
