import type { ScoringCatalogue } from './scoring-catalogue.ts';
import type { FindingFacts, ScoringSubject } from './scoring-facts.ts';
import { validMappings } from './valid-mappings.ts';

/** Changes to try: what would become of findings and CVEs. */
export interface WhatIf {
  /** Ids of findings that would be fixed: Qualified. */
  fixed?: ReadonlySet<string>;
  /** Ids of findings that would be accepted: Accepted Failed. */
  accepted?: ReadonlySet<string>;
  /** CVEs that would be fixed wherever they are. A finding stays with its other valid CVEs; without any it is fixed. */
  fixedCves?: ReadonlySet<string>;
}

/** An asset as it would be, ready to be scored; the given one is not touched. Only Failed findings change. */
export function applyWhatIf<F extends FindingFacts, S extends ScoringSubject & { findings: readonly F[] }>(
  subject: S & { findings: readonly F[] },
  change: WhatIf,
  catalogue: Pick<ScoringCatalogue, 'techniqueOf' | 'cveStateOf'>,
): S {
  const changed = (finding: F): F => {
    if (finding.state !== 'Failed') return finding;
    if (change.fixed?.has(finding.id)) return { ...finding, state: 'Qualified' };
    if (change.accepted?.has(finding.id)) return { ...finding, state: 'AcceptedFailed' };
    const isFixed = (cve: string) => change.fixedCves?.has(cve) ?? false;
    if (!finding.cves.some(isFixed)) return finding;
    const { cves } = validMappings(finding, catalogue.techniqueOf, catalogue.cveStateOf);
    if (cves.every(isFixed)) return cves.length > 0 ? { ...finding, state: 'Qualified' } : finding;
    return { ...finding, cves: finding.cves.filter((cve) => !isFixed(cve)) };
  };
  return { ...subject, findings: subject.findings.map(changed) };
}
