import { describe, expect, it } from '@jest/globals';
import { pagesOf } from './pages-of.ts';

async function sizes(counts: number[], ...bounds: [] | [Parameters<typeof pagesOf>[2]]): Promise<number[][]> {
  const pages: number[][] = [];
  for await (const page of pagesOf(counts, (count) => count, ...bounds)) pages.push(page);
  return pages;
}

describe('pages of assets', () => {
  it('contain all assets in their order, within the bounds', async () => {
    expect(await sizes([])).toEqual([]);
    expect(await sizes([2_000, 3_000, 1, 4_999, 1])).toEqual([[2_000, 3_000], [1, 4_999], [1]]);
    expect(await sizes([1, 9_000, 1])).toEqual([[1], [9_000], [1]]);
    expect((await sizes(Array(1_001).fill(0))).map((page) => page.length)).toEqual([500, 500, 1]);
  });

  it('keep to other bounds', async () => {
    expect(await sizes([1, 1, 1, 3], { assetsMax: 2, findingsMax: 3 })).toEqual([[1, 1], [1], [3]]);
  });
});
