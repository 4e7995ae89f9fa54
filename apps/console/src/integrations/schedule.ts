import type { Integration } from './kinds.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** 01:15 UTC. */
const RUN_OF_DAY_MS = 75 * 60 * 1000;

/**
 * When the service will sync it by itself, ISO 8601: at 01:15 UTC, so many days after the day of the last request; null
 * where it never does. What is overdue is asked for at once.
 * @param lastRequest ISO 8601, whoever asked; null where nobody has
 */
export function nextRunOf(
  { config: { autoSyncDays }, createdAt }: Pick<Integration, 'config' | 'createdAt'>,
  lastRequest: string | null,
): string | null {
  if (autoSyncDays === null) return null;
  const last = Date.parse(lastRequest ?? createdAt);
  return new Date(Math.floor(last / DAY_MS) * DAY_MS + autoSyncDays * DAY_MS + RUN_OF_DAY_MS).toISOString();
}

export const frequencyOf = (autoSyncDays: number | null): string => {
  if (autoSyncDays === null) return 'Never by itself';
  return autoSyncDays === 1 ? 'Every day at 01:15 UTC' : `Every ${autoSyncDays} days at 01:15 UTC`;
};
