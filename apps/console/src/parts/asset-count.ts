import { t } from '@lingui/core/macro';
/** `1 asset`, `2,345 assets`. */
export const assetsText = (count: number): string =>
  count === 1 ? t`1 asset` : `${count.toLocaleString()} assets`;
