import type { TicketContent } from './ticket-content.ts';

/** A node of the Atlassian Document Format. Text in it is never read as markup: only nodes and marks have a form. */
export interface DocumentNode {
  type: string;
  attrs?: Record<string, string | number>;
  content?: DocumentNode[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, string> }[];
}

/** The description of an issue. */
export interface JiraDocument extends DocumentNode {
  type: 'doc';
  version: 1;
}

export function jiraDocument({ facts, texts, url }: TicketContent): JiraDocument {
  const items = facts.map(({ label, value }) => ({
    type: 'listItem',
    content: [paragraph(text(`${label}: `), text(value, { type: 'code' }))],
  }));
  return {
    type: 'doc',
    version: 1,
    content: [
      { type: 'bulletList', content: items },
      ...texts.flatMap(({ label, value }): DocumentNode[] => [
        { type: 'heading', attrs: { level: 3 }, content: text(label) },
        { type: 'codeBlock', attrs: { language: 'text' }, content: text(value) },
      ]),
      ...(url === null ? [] : [paragraph(text('Open the finding', { type: 'link', attrs: { href: url } }))]),
    ],
  };
}

const paragraph = (...content: DocumentNode[][]): DocumentNode => ({
  type: 'paragraph',
  content: content.flat(),
});

/** The format has no empty texts. */
const text = (value: string, ...marks: NonNullable<DocumentNode['marks']>): DocumentNode[] =>
  value === '' ? [] : [{ type: 'text', text: value, ...(marks.length > 0 && { marks }) }];
