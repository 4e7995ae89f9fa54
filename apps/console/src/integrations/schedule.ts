export const frequencyOf = (autoSyncDays: number | null): string => {
  if (autoSyncDays === null) return 'Never';
  return autoSyncDays === 1 ? 'Every day at 01:15 UTC' : `Every ${autoSyncDays} days at 01:15 UTC`;
};
