import { t } from '@lingui/core/macro';
/** `1 finding`, `2,345 findings`. */
export const findings = (count: number): string =>
  count === 1 ? t`1 finding` : `${count.toLocaleString()} findings`;
