import { type posture2, type Since, withoutOverruled } from '#libs/domain';

/** A change of a finding. */
export interface PastFinding {
  at: number;
  expiredAt: number | null;
  reason: string | null;
  /** As if it never ended. */
  facts: posture2.AssessedFinding;
}

export type FindingSegments = Since<posture2.AssessedFinding>[];

/**
 * A finding that was seen again no longer has its earlier expiry: it had ended before its next change only if that
 * change says so (the fold first retires expired findings, R-FOLD-3).
 * @param activeUntil of its present state, epoch milliseconds
 */
export function segmentsOf(history: readonly PastFinding[], activeUntil: number): FindingSegments {
  let next: PastFinding | undefined;
  const fromLast = history.toReversed().map((change, i) => {
    const until = i === 0 ? activeUntil : (next?.expiredAt ?? Number.POSITIVE_INFINITY);
    if (change.reason !== 'acceptanceEnded') next = change;
    return { from: change.at, value: { ...change.facts, activeUntil: until } };
  });
  return withoutOverruled(fromLast.toReversed());
}
