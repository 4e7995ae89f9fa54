import { plural } from '@lingui/core/macro';

/** `1 finding`, `2,345 findings`. */
export const findings = (count: number): string => plural(count, { one: '# finding', other: '# findings' });
