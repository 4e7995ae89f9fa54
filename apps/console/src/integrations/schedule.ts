import { t } from '@lingui/core/macro';
export const frequencyOf = (autoSyncDays: number | null): string => {
  if (autoSyncDays === null) return t`Never`;
  return autoSyncDays === 1 ? t`Every day at 01:15 UTC` : t`Every ${autoSyncDays} days at 01:15 UTC`;
};
