import type { InstanceStatus } from '../events.ts';
import type { Remarks } from './remarks.ts';
import type { RawSecurityContext } from './signal.ts';

/** Both vocabularies, on either path (R-SIG-6). */
const STATUSES: Record<string, InstanceStatus> = {
  pass: 'pass',
  qualified: 'pass',
  fail: 'fail',
  failed: 'fail',
  unknown: 'unknown',
  notassessed: 'unknown',
};

const statusOf = (text: string | undefined): InstanceStatus | null => {
  const word = text?.toLowerCase() ?? '';
  return Object.hasOwn(STATUSES, word) ? STATUSES[word]! : null;
};

/** The status on either path; a problem if both are missing or differ. */
export function readStatus(context: RawSecurityContext, path: string, remarks: Remarks): InstanceStatus {
  const first = statusOf(context.status?.complianceStatus);
  const second = statusOf(context.complianceStatus?.status);
  if (first === null && second === null) {
    remarks.problem(
      `${path}.status.complianceStatus`,
      'is missing: send pass, fail or unknown (or complianceStatus.status: Qualified, Failed or NotAssessed)',
    );
  }
  if (first !== null && second !== null && first !== second) {
    remarks.problem(
      `${path}.complianceStatus.status`,
      'must agree with status.complianceStatus or be omitted',
    );
  }
  return first ?? second ?? 'unknown';
}
