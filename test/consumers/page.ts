import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docs/subscribing.md', import.meta.url), 'utf8');

/** The code blocks of docs/subscribing.md in one language, in order. */
const blocksIn = (language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) =>
    block!.trim(),
  );

const shellBlocks = blocksIn('sh');

/** The programs of the page, whole. */
export const PYTHON_PROGRAM = blocksIn('python').join('\n');
export const NODE_PROGRAM = blocksIn('js').join('\n');

/** The page's shell block with a text in it. @throws Error if there is none */
export function shellBlock(withText: string): string {
  const block = shellBlocks.find((one) => one.includes(withText));
  if (block === undefined) throw new Error(`docs/subscribing.md has no command with ${withText}`);
  return block;
}

/** Addresses of the service in a test, which replace those of the page. */
export interface Place {
  brokers: string;
  url: string;
  group: string;
}

/** The variables that the page sets first, for another address. */
export const settings = ({ brokers, url, group }: Place): string =>
  shellBlock('export ')
    .replace('127.0.0.1:9092', brokers)
    .replace('http://127.0.0.1:8080', url)
    .replace('data-team', group);
