import type { Root } from 'mdast';
import { findAndReplace } from 'mdast-util-find-and-replace';
import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import classes from './markdown.module.css';

/** As the service recognizes mentions. */
const MENTION = /(?<![\p{L}\p{N}@._:/-])@([\p{L}\p{N}](?:[\p{L}\p{N}@._:-]{0,254}[\p{L}\p{N}])?)/gu;

/** Marks the mentions of users in texts, not in code. */
const markMentions = (names: readonly string[]) => () => (tree: Root) =>
  findAndReplace(tree, [
    MENTION,
    (text: string, name: string) =>
      names.includes(name) ? { type: 'strong', children: [{ type: 'text', value: text }] } : false,
  ]);

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
    <div className={classes.markdown}>
      <ReactMarkdown
        components={COMPONENTS}
        remarkPlugins={[markMentions(mentions)]}
        urlTransform={webAddress}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
