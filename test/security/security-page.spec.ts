import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { HEADER_BYTES_MAX, MEGABYTE } from '../../apps/gateway/src/http/http-limits.ts';
import { REPORT_BYTES_MAX } from '../../apps/gateway/src/reports/report-limits.ts';

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
  const readProxies = async (): Promise<string[]> => {
    const blocks = (await readFile('docs/security.md', 'utf8')).match(/^```\n[^`]*\n```$/gm) ?? [];
    const proxies = blocks.filter((block) => /reverse_proxy|proxy_pass/.test(block));
    expect(proxies).toHaveLength(2);
    return proxies;
  };

  it('pass the largest report, in a form of DefectDojo', async () => {
    for (const proxy of await readProxies()) {
      // Of nginx, `m` is 1,048,576 bytes; of Caddy, only `MiB` is.
      const size = /^ +(?:client_max_body_size|max_size) (\d+)(?:m;|MiB)$/m.exec(proxy)?.[1];
      expect(Number(size) * MEGABYTE).toBeGreaterThanOrEqual(REPORT_BYTES_MAX + MEGABYTE);
    }
  });

  it('pass all headers that the service takes', async () => {
    const [, nginx] = await readProxies();
    const kilobytes = /^ {2}large_client_header_buffers \d+ (\d+)k;$/m.exec(nginx!)?.[1];
    expect(Number(kilobytes) * 1_024).toBeGreaterThanOrEqual(HEADER_BYTES_MAX);
  });

  it('publish no metrics', async () => {
    for (const proxy of await readProxies()) {
      expect(proxy).toMatch(
        /^ {2}(respond \/metrics\* 404|location \/metrics \{\n {4}return 404;\n {2}\})$/m,
      );
    }
  });
});
