import type { Assignee, Finding, FindingState } from '#libs/domain';
import type { StatedFinding } from './finding-facts.ts';

const MINUTE_MS = 60_000;

/** A finding as the fold left it, with its asset; times are epoch milliseconds. */
export interface FoldedFinding {
  assetId: string;
  assetName: string;
  /** Owner of the asset by the owner rules; null also if they are not known. */
  owner: Assignee | null;
  finding: Finding;
  lastSeen: number;
  expiresAt: number;
  /** End of the retention (R-EXP-5). */
  retainUntil: number;
  /** Edge time of the last upload that touched it. */
  lastSignalAt: number;
}

/** A finding as a reader sees it at an instant, the present or another; times are epoch milliseconds. */
export interface SeenFinding extends StatedFinding {
  /** As in `FoldedFinding`. */
  owner: Assignee | null;
  /** Null if they are not known of a past instant. */
  lastSeen: number | null;
  expiresAt: number | null;
  /** Null if its source is not late, or that is not known of a past instant. */
  overdueSince: number | null;
}

/** A finding, folded until an instant, as a reader sees it at that instant. */
export function seenAt(folded: FoldedFinding, at: number): SeenFinding {
  const stated = stateAt(folded, at);
  return {
    assetId: folded.assetId,
    assetName: folded.assetName,
    owner: folded.owner,
    finding: folded.finding,
    lastSeen: folded.lastSeen,
    expiresAt: folded.expiresAt,
    ...stated,
    overdueSince: overdueSince(folded, at),
  };
}

/**
 * The state of a finding at an instant. One that has expired is Retired for every reader, also before the fold has
 * retired it (R-EXP-6).
 */
export function stateAt(
  {
    finding,
    expiresAt,
    retainUntil,
  }: {
    finding: Pick<Finding, 'state' | 'retiredReason'>;
    expiresAt: number;
    retainUntil: number;
  },
  at: number,
): { state: FindingState; retiredReason: Finding['retiredReason'] } {
  const isDue = finding.state !== 'Retired' && Math.min(expiresAt, retainUntil) <= at;
  if (isDue) return { state: 'Retired', retiredReason: expiresAt <= retainUntil ? 'expired' : 'retention' };
  return { state: finding.state, retiredReason: finding.retiredReason };
}

/**
 * Since when its source is late at an instant: `source.nextSubmissionIntervalInMins` after the last signal, if that has
 * passed (R-SIG-19); null if it is not late, or has no interval.
 */
export function overdueSince(
  { finding, lastSignalAt }: { finding: Pick<Finding, 'source'>; lastSignalAt: number },
  at: number,
): number | null {
  const minutes = finding.source.nextSubmissionIntervalInMins;
  if (minutes === null) return null;
  const due = lastSignalAt + minutes * MINUTE_MS;
  return due < at ? due : null;
}
