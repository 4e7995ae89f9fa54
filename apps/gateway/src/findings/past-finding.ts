import { overdueSince, type SeenFinding } from '#libs/views';
import type { PastFindingRow } from './findings-as-of.repository.ts';

/** The fields of a finding as of a past instant that the history keeps. */
export function pastFinding({ fellDue, seen, ...row }: PastFindingRow, at: number): SeenFinding {
  const { state: folded, retiredReason } = row.finding;
  const state = fellDue ? 'Retired' : folded;
  return {
    ...row,
    state,
    retiredReason: fellDue ?? retiredReason,
    lastSeen: seen?.lastSeen ?? null,
    expiresAt: seen?.expiresAt ?? null,
    overdueSince: seen && overdueSince({ finding: row.finding, lastSignalAt: seen.lastSignalAt }, at),
  };
}
