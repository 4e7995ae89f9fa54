import type { FindingState } from '../state.ts';
import { type CveStateLookup, type Mappings, type TechniqueLookup, validMappings } from './valid-mappings.ts';

/** The fields of a finding that decide whether it counts. */
export interface ScoringFacts extends Mappings {
  state: FindingState;
}

export interface ScoringCount {
  counted: boolean;
  /** A sentence for the user; null if it counts. */
  notCountedBecause: string | null;
}

const STATE_REASONS: Record<Exclude<FindingState, 'Failed'>, string> = {
  Qualified: 'its latest status is Qualified',
  NotAssessed: 'it is not assessed',
  AcceptedFailed: 'its failure is accepted',
  Retired: 'it is retired',
};

/**
 * Whether a finding counts for scoring: Failed, with a well-formed CVE that is not Reserved, Disputed or Rejected, or
 * an ATT&CK technique that exists and is not revoked (R-SCORE-1).
 */
export function countsForScoring(
  { state, cves, techniques }: ScoringFacts,
  techniqueOf: TechniqueLookup,
  cveStateOf: CveStateLookup = () => undefined,
): ScoringCount {
  if (state !== 'Failed') return { counted: false, notCountedBecause: STATE_REASONS[state] };
  const valid = validMappings({ cves, techniques }, techniqueOf, cveStateOf);
  if (valid.cves.length + valid.techniques.length > 0) {
    return { counted: true, notCountedBecause: null };
  }
  return { counted: false, notCountedBecause: reasonWithout(cves, techniques) };
}

function reasonWithout(cves: readonly string[], techniques: readonly string[]): string {
  if (cves.length + techniques.length === 0) return 'it has neither a CVE nor an ATT&CK technique';
  if (techniques.length === 0)
    return 'no CVE of it is valid: all are Reserved, Disputed, Rejected or ill-formed';
  const what = cves.length === 0 ? 'none of its techniques' : 'neither a CVE nor a technique of it';
  return `${what} is valid: a technique must be in the ATT&CK catalogue and not revoked`;
}
