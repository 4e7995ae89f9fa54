import { describe, expect, it } from '@jest/globals';
import { anchorsIn, linksIn, problemOf } from './links.ts';
import { textFiles, textOf } from './project-texts.ts';

describe('links of Markdown pages', () => {
  it('lead to a file, and to a heading of it', async () => {
    const pages = (await textFiles()).filter((path) => path.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(80);
    const problems: string[] = [];
    let links = 0;
    for (const page of pages) {
      for (const link of linksIn(await textOf(page))) {
        links += 1;
        const problem = await problemOf(page, link);
        if (problem !== null) problems.push(problem);
      }
    }
    expect(links).toBeGreaterThan(150);
    expect(problems).toEqual([]);
  });

  it('are found, also broken ones', async () => {
    const page = '# A `b`, c\n[one](x.md#y) [two](https://example.com)\n```\n[three](z.md)\n```\n';
    expect(linksIn(page)).toEqual(['x.md#y']);
    expect(anchorsIn(page)).toEqual(['a-b-c']);
    expect(await problemOf('docs/testing.md', 'nowhere.md')).toMatch(/there is no docs\/nowhere\.md/);
    expect(await problemOf('docs/testing.md', 'overload.md#nowhere')).toMatch(/no such heading/);
    expect(await problemOf('docs/testing.md', 'overload.md#connections')).toBeNull();
  });
});
