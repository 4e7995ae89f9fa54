import { plural, t } from '@lingui/core/macro';

export const frequencyOf = (autoSyncDays: number | null): string =>
  autoSyncDays === null
    ? t`Never`
    : plural(autoSyncDays, { one: 'Every day at 01:15 UTC', other: 'Every # days at 01:15 UTC' });
