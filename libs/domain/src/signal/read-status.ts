import type { InstanceStatus } from '../events.ts';
import type { Remarks } from './remarks.ts';
import type { RawSecurityContext } from './signal.ts';

/** Both vocabularies of the document, on either path (D10). */
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

/** The status on either documented path; a problem where neither has one, or where they disagree (D10). */
export function readStatus(context: RawSecurityContext, path: string, remarks: Remarks): InstanceStatus {
  const first = statusOf(context.status?.complianceStatus);
  const second = statusOf(context.complianceStatus?.status);
  if (first === null && second === null) {
    remarks.problem(
      `${path}.status.complianceStatus`,
      'must be given: pass, fail or unknown (or complianceStatus.status: Qualified, Failed or NotAssessed)',
    );
  }
  if (first !== null && second !== null && first !== second) {
    remarks.problem(
      `${path}.complianceStatus.status`,
      'must agree with status.complianceStatus, or be left out',
    );
  }
  return first ?? second ?? 'unknown';
}
