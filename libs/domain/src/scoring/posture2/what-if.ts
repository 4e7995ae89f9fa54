import { isActive } from '../scoring-facts.ts';
import { validMappings } from '../valid-mappings.ts';
import type { WhatIf } from '../what-if.ts';
import type { AssessedFinding, FailureFacts, ThreatCatalogue, ThreatenedSubject } from './facts.ts';

/**
 * An asset as it would be, ready to be scored at the same instant. Only Failed findings that have not ended by then
 * change. A fix is a pass, so a fixed control protects afterwards; an acceptance is not.
 */
export function applyWhatIf(
  subject: ThreatenedSubject,
  change: WhatIf,
  catalogue: Pick<ThreatCatalogue, 'techniqueOf' | 'cveStateOf'>,
  at: number,
): ThreatenedSubject {
  const findings = subject.findings.map((finding) =>
    finding.state === 'Failed' && isActive(finding, at) ? changed(finding, change, catalogue) : finding,
  );
  return { ...subject, findings };
}

function changed(
  finding: AssessedFinding,
  { fixed, accepted, fixedCves }: WhatIf,
  catalogue: Pick<ThreatCatalogue, 'techniqueOf' | 'cveStateOf'>,
): AssessedFinding {
  if (fixed?.has(finding.id)) return passed(finding);
  if (accepted?.has(finding.id)) return { ...finding, state: 'AcceptedFailed' };
  const isFixed = (cve: string) => fixedCves?.has(cve) ?? false;
  if (!finding.cves.some(isFixed)) return finding;
  const failures = finding.failures.flatMap((failure): FailureFacts[] => {
    const { cves, techniques } = validMappings(failure, catalogue.techniqueOf, catalogue.cveStateOf);
    if (!cves.some(isFixed)) return [failure];
    const isDetection = finding.type === 'edr' && techniques.length > 0;
    // A patch does not undo a detection: it is evidence without the CVE, too.
    if (cves.every(isFixed) && !isDetection) return [];
    return [{ ...failure, cves: failure.cves.filter((cve) => !isFixed(cve)) }];
  });
  return failures.length > 0 ? { ...finding, failures } : passed(finding);
}

const passed = (finding: AssessedFinding): AssessedFinding => ({
  ...finding,
  state: 'Qualified',
  lastVerdict: 'passed',
  detections: [],
});
