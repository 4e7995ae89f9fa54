import type { Finding, FindingState } from '../state.ts';

/** The first rules under which a finding keeps its failing period. */
export const FAILING_PERIODS = 6;

/**
 * A changed finding with its failing period (R-SLA-1). A period begins when the finding becomes Failed, and ends when it
 * becomes Qualified or Retired: acceptances, and Not Assessed, neither end it nor begin another.
 * @param from the state before the change; null at creation
 * @param at time of the change, in epoch milliseconds
 */
export function withFailingPeriod(changed: Finding, from: FindingState | null, at: number): Finding {
  const finding = withKnownBeginning(changed, from);
  const isFailing = isFailingPeriodOpen(finding);
  switch (finding.state) {
    case 'Failed':
      return isFailing ? finding : { ...finding, ...beginning(finding, from, at) };
    case 'Qualified':
    case 'Retired':
      return isFailing ? { ...finding, settledAt: at } : finding;
    case 'NotAssessed':
    case 'AcceptedFailed':
      return finding;
  }
}

/** Whether its failing period has begun and not ended. */
const isFailingPeriodOpen = ({ failedSince, settledAt }: Finding): boolean =>
  typeof failedSince === 'number' && typeof settledAt !== 'number';

/** Under earlier rules its beginning was not stored: it is that for which readers take it. */
function withKnownBeginning(finding: Finding, from: FindingState | null): Finding {
  const isUnknown =
    (from === 'Failed' || from === 'AcceptedFailed') && typeof finding.failedSince !== 'number';
  return isUnknown ? { ...finding, failedSince: finding.firstSeen } : finding;
}

/** A source can have seen a new finding before this service did. */
const beginning = ({ firstSeen, settledAt }: Finding, from: FindingState | null, at: number) => ({
  failedSince: from === null ? Math.min(firstSeen, at) : at,
  ...(typeof settledAt === 'number' && { settledAt: null }),
});
