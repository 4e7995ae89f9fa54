export interface PageBounds {
  assetsMax: number;
  findingsMax: number;
}

/** What fits into memory while the assets of a page are read or scored. */
export const PAGE_BOUNDS: Readonly<PageBounds> = { assetsMax: 500, findingsMax: 5_000 };

/**
 * Assets in their order, in pages that fit into memory; an asset with more findings is a separate page.
 * @param findingsOf number of findings of an asset
 */
export async function* pagesOf<Asset>(
  assets: Iterable<Asset> | AsyncIterable<Asset>,
  findingsOf: (asset: Asset) => number,
  { assetsMax, findingsMax }: PageBounds = PAGE_BOUNDS,
): AsyncGenerator<Asset[]> {
  let page: Asset[] = [];
  let findings = 0;
  for await (const asset of assets) {
    const own = findingsOf(asset);
    const isFull = page.length === assetsMax || findings + own > findingsMax;
    if (isFull && page.length > 0) {
      yield page;
      page = [];
      findings = 0;
    }
    page.push(asset);
    findings += own;
  }
  if (page.length > 0) yield page;
}
