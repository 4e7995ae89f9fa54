import { describe, expect, it } from '@jest/globals';
import type { ReportFile } from './report-file.ts';
import { type XmlEvent, xmlEvents } from './xml-events.ts';

const CHUNK_CHARS = 65_536;

const fileOf = (content: string) =>
  ({
    name: 'a.xml',
    async *text() {
      for (let at = 0; at < content.length; at += CHUNK_CHARS) yield content.slice(at, at + CHUNK_CHARS);
    },
  }) as unknown as ReportFile;

async function eventsOf(content: string): Promise<XmlEvent[]> {
  const events: XmlEvent[] = [];
  const parts = { elements: ['host/script'], marks: [] };
  for await (const event of xmlEvents(fileOf(content), parts)) events.push(event);
  return events;
}

describe('an XML report', () => {
  it.each([0, 1, 40_000, 65_000])(
    'may have an attribute and a comment of 300,000 characters, also %i characters in',
    async (before) => {
      const output = 'x'.repeat(300_000);
      const content = `<host>${' '.repeat(before)}<!--${output}--><script output="${output}"/></host>`;
      expect(await eventsOf(content)).toMatchObject([
        { kind: 'element', element: { attributes: { output } } },
      ]);
    },
  );

  const tooLong = 'x'.repeat(1_048_576);
  it.each([
    ['an attribute', `<host>\n<script output="${tooLong}"/></host>`],
    ['all attributes of a tag', `<host>\n<script a="${tooLong.slice(9)}" b="1"/></host>`],
    ['a comment', `<host>\n<!--${tooLong}--></host>`],
    ['an attribute without an end', `<host>\n<script output="${tooLong}${tooLong}`],
  ])('may not have more than 1 MB in %s', async (_, content) => {
    await expect(eventsOf(content)).rejects.toThrow(
      'a.xml, line 2: a tag, comment or declaration is longer than 1 MB',
    );
  });
});
