/** `1 asset`, `2,345 assets`. */
export const assetsText = (count: number): string =>
  count === 1 ? '1 asset' : `${count.toLocaleString()} assets`;
