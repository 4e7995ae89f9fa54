import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

/** Spec files that a page names, between backticks. */
const specsOf = (page: string): string[] => [
  ...new Set([...page.matchAll(/`([\w./-]+\.spec\.ts)`/g)].map(([, path]) => path!)),
];

const isMissing = (path: string): Promise<boolean> =>
  access(path).then(
    () => false,
    () => true,
  );

describe.each([
  ['docs/security.md', 30],
  ['docs/guarantees.md', 30],
])('%s', (page, atLeast) => {
  it('names tests that there are', async () => {
    const specs = specsOf(await readFile(page, 'utf8'));
    expect(specs.length).toBeGreaterThanOrEqual(atLeast);
    const missing: string[] = [];
    for (const path of specs) if (await isMissing(path)) missing.push(path);
    expect(missing).toEqual([]);
  });
});

describe('the threats of docs/security.md', () => {
  it('have each a mitigation and a test', async () => {
    const rows = (await readFile('docs/security.md', 'utf8')).match(/^\| \*\*[STRIDE]\*\* .*$/gm) ?? [];
    expect(new Set(rows.map((row) => row[4]))).toEqual(new Set('STRIDE'));
    for (const row of rows) expect(row).toMatch(/^\| [^|]+ \| [^|]+ \| `[^|]+\.spec\.ts`[^|]* \|$/);
  });
});

describe('the proxies of docs/security.md', () => {
  it('publish no metrics', async () => {
    const blocks = (await readFile('docs/security.md', 'utf8')).match(/^```\n[^`]*\n```$/gm) ?? [];
    const proxies = blocks.filter((block) => /reverse_proxy|proxy_pass/.test(block));
    expect(proxies).toHaveLength(2);
    for (const proxy of proxies) {
      expect(proxy).toMatch(
        /^ {2}(respond \/metrics\* 404|location \/metrics \{\n {4}return 404;\n {2}\})$/m,
      );
    }
  });
});
