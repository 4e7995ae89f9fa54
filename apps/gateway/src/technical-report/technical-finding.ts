import type { FindingDto, InstanceDto, MappedCveDto } from '../findings/finding.dto.ts';
import { REPORTED, type ReportedInstanceDto, type TechnicalFindingDto } from './technical-report.dto.ts';

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
  const { instances, instanceCount, cves, techniques, mappings } = finding;
  const mapped = {
    cves: mappings.cves.toSorted(mostExploitedFirst).slice(0, REPORTED.cves),
    techniques: mappings.techniques.slice(0, REPORTED.techniques),
  };
  return withCutTexts({
    ...kept,
    instances: instances.slice(0, REPORTED.instances).map(reportedInstance),
    instanceCount,
    cves: mapped.cves.map(({ id }) => id),
    cveCount: cves.length,
    techniques: mapped.techniques.map(({ id }) => id),
    techniqueCount: techniques.length,
    mappings: mapped,
  });
}

const reportedInstance = ({ key, status, counted, evidence }: InstanceDto): ReportedInstanceDto => ({
  ...{ key, status, counted },
  evidence: evidence && cut(evidence, REPORTED.evidenceCharacters),
});

/** By the catalogues of the report's time, so that a shortened list has what matters most. */
const mostExploitedFirst = (a: MappedCveDto, b: MappedCveDto): number =>
  Number(b.knownExploitedSince !== null) - Number(a.knownExploitedSince !== null) ||
  (b.epss?.probability ?? 0) - (a.epss?.probability ?? 0);

/** Signals and users decide how long each text is. */
const withCutTexts = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? cut(part, REPORTED.textCharacters) : part,
  );

/** The beginning of a text; whole characters only. */
function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const part = text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
  return `${part}… (${text.length - part.length} characters more)`;
}
