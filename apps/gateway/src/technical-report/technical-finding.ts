import type { FindingDto, MappedCveDto } from '../findings/finding.dto.ts';
import { REPORTED, type TechnicalFindingDto } from './technical-report.dto.ts';

/** A finding in the bounds of a report. */
export function technicalFinding(finding: FindingDto): TechnicalFindingDto {
  const {
    lastSeen: _lastSeen,
    expiresAt: _expiresAt,
    overdueSince: _overdueSince,
    observation: _observation,
    technical: _technical,
    businessImpact: _businessImpact,
    heldFailed: _heldFailed,
    ...kept
  } = finding;
  const { description, remediation, instances, instanceCount, cves, techniques, mappings } = finding;
  const mapped = {
    cves: mappings.cves.toSorted(mostExploitedFirst).slice(0, REPORTED.cves),
    techniques: mappings.techniques.slice(0, REPORTED.techniques),
  };
  return {
    ...kept,
    description: cut(description, REPORTED.textCharacters),
    remediation: remediation && {
      description: cut(remediation.description, REPORTED.textCharacters),
      reference: cut(remediation.reference, REPORTED.textCharacters),
      impact: cut(remediation.impact, REPORTED.textCharacters),
    },
    instances: instances
      .slice(0, REPORTED.instances)
      .map((one) => ({ ...one, evidence: cut(one.evidence, REPORTED.evidenceCharacters) })),
    instanceCount,
    cves: mapped.cves.map(({ id }) => id),
    cveCount: cves.length,
    techniques: mapped.techniques.map(({ id }) => id),
    techniqueCount: techniques.length,
    mappings: mapped,
  };
}

/** By the catalogues of the report's time, so that a shortened list has what matters most. */
const mostExploitedFirst = (a: MappedCveDto, b: MappedCveDto): number =>
  Number(b.knownExploitedSince !== null) - Number(a.knownExploitedSince !== null) ||
  (b.epss?.probability ?? 0) - (a.epss?.probability ?? 0);

/** The beginning of a text; whole characters only. */
function cut(text: string | null, charactersMax: number): string | null {
  if (text === null || text.length <= charactersMax) return text;
  const part = text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
  return `${part}… (${text.length - part.length} characters more)`;
}
