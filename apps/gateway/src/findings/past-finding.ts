import { overdueSince, type SeenFinding } from '#libs/views';
import type { PastFindingRow } from './findings-as-of.repository.ts';

/** What a reader sees as of a past instant, as far as the history keeps it. */
export function pastFinding({ fellDue, seen, ...row }: PastFindingRow, at: number): SeenFinding {
  const { state, retiredReason } = row.finding;
  return {
    ...row,
    state: fellDue ? 'Retired' : state,
    retiredReason: fellDue ?? retiredReason,
    lastSeen: seen?.lastSeen ?? null,
    expiresAt: seen?.expiresAt ?? null,
    overdueSince: seen && overdueSince({ finding: row.finding, lastSignalAt: seen.lastSignalAt }, at),
  };
}
