import type { Finding, FindingState } from '#libs/domain';

/** Active findings of an asset at an instant. */
export interface FindingCounts {
  failed: number;
  qualified: number;
  accepted: number;
  notAssessed: number;
  /** Findings of type `edr`, and failing instances of them that count (R-ASSET-10). */
  edrControls: number;
  edrFindings: number;
}

/** The counts of an asset without active findings. */
export const NO_FINDINGS: FindingCounts = {
  failed: 0,
  qualified: 0,
  accepted: 0,
  notAssessed: 0,
  edrControls: 0,
  edrFindings: 0,
};

/**
 * Counts the findings of one asset.
 * @param findings each with its state at the instant; Retired ones are left out
 */
export function countFindings(
  findings: Iterable<{ state: FindingState; finding: Pick<Finding, 'type' | 'instances'> }>,
): FindingCounts {
  const counts = { ...NO_FINDINGS };
  for (const { state, finding } of findings) {
    if (state === 'Retired') continue;
    counts[COUNTED_AS[state]] += 1;
    if (finding.type !== 'edr') continue;
    counts.edrControls += 1;
    counts.edrFindings += finding.instances.filter(
      ({ status, counted }) => counted && status === 'fail',
    ).length;
  }
  return counts;
}

const COUNTED_AS = {
  Failed: 'failed',
  Qualified: 'qualified',
  AcceptedFailed: 'accepted',
  NotAssessed: 'notAssessed',
} as const;
