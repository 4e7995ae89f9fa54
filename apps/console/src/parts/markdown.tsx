import type { Node, Parent, Root } from 'mdast';
import { findAndReplace } from 'mdast-util-find-and-replace';
import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import classes from './markdown.module.css';
import { MENTION, mentionOf } from './mention-of.ts';

/** Marks the mentions of users in texts, not in code. */
const markMentions = (names: readonly string[]) => () => (tree: Root) =>
  findAndReplace(tree, [
    MENTION,
    (text: string) => {
      const mention = mentionOf(text, names);
      if (mention === undefined) return false;
      const marked = { type: 'strong' as const, children: [{ type: 'text' as const, value: mention }] };
      return [marked, { type: 'text' as const, value: text.slice(mention.length) }];
    },
  ]);

/** No comment is read with more; each level of the tree is a call of the parser and an element of the page. */
const LEVELS_MAX = 40;

/** Shows a text as it is if it has too many quotes in quotes, or the like. */
const boundDepth = (text: string) => () => (tree: Root) => {
  if (isDeeper(tree, LEVELS_MAX))
    tree.children = [{ type: 'paragraph', children: [{ type: 'text', value: text }] }];
};

function isDeeper(tree: Root, levels: number): boolean {
  let nodes: Node[] = [tree];
  for (let level = 0; nodes.length > 0; level++) {
    if (level > levels) return true;
    nodes = nodes.flatMap((node) => ('children' in node ? (node as Parent).children : []));
  }
  return false;
}

/** A heading of a comment is no heading of the page. */
const Heading = ({ children }: { children?: ReactNode }) => (
  <p>
    <strong>{children}</strong>
  </p>
);

const COMPONENTS: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // The browser of each reader would request it.
  img: ({ alt }) => <span>{alt}</span>,
};

/** Only addresses of the web are links. */
const webAddress = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : '';
};

/** Markdown of a user. HTML in it is text. @param mentions names that are marked */
export function Markdown({ text, mentions }: { text: string; mentions: readonly string[] }) {
  return (
    <div className={classes.markdown} dir="auto">
      <ReactMarkdown
        components={COMPONENTS}
        remarkPlugins={[boundDepth(text), markMentions(mentions)]}
        urlTransform={webAddress}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
