import { plural } from '@lingui/core/macro';

/** `1 asset`, `2,345 assets`. */
export const assetsText = (count: number): string => plural(count, { one: '# asset', other: '# assets' });
