import type { Finding, FoundSeverity, ReportItem } from '../format.ts';
import { cvssOf, scoreOf } from '../mapping/cvss.ts';
import { hostOfTarget } from '../mapping/host-of-target.ts';
import { cvesIn, cwesOf } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';

/** A generic finding in the JSON and CSV of DefectDojo. */
export interface DojoFinding {
  place: string;
  tool: string | null;
  /** The first field of these names that says something. */
  text: (...names: string[]) => string | null;
  /** CVE and other ids. */
  ids: (string | null)[];
  cwes: (number | null)[];
  /** null: not stated. */
  flag: (name: string) => boolean | null;
  endpoints: (string | null)[];
  tags: string[];
}

export const isOnHost = (endpoint: string | null): boolean => hostOfTarget(endpoint) !== null;

export function* dojoFindings(finding: DojoFinding): Generator<ReportItem> {
  const { place, text, endpoints } = finding;
  const name = text('title');
  const reason = unmappedReason(finding);
  const targets = endpoints.length > 0 ? endpoints : [null];
  for (const [i, endpoint] of targets.entries()) {
    const at = targets.length > 1 ? `${place}.endpoints[${i}]` : place;
    if (name === null || reason !== null)
      yield { kind: 'unmapped', place: at, name: name ?? 'finding', reason: reason ?? 'has no title' };
    else yield { ...findingOf(finding, name, endpoint), place: at };
  }
}

function unmappedReason({ flag }: DojoFinding): string | null {
  if (flag('false_p')) return 'marked as a false positive in the report';
  if (flag('duplicate')) return 'marked as a duplicate in the report';
  if (flag('out_of_scope')) return 'marked as out of scope in the report';
  return null;
}

function findingOf(finding: DojoFinding, name: string, endpoint: string | null): Omit<Finding, 'place'> {
  const { text, flag, ids, tags } = finding;
  const host = hostOfTarget(endpoint);
  const component = text('component_name');
  const file = text('file_path');
  const line = text('line');
  const where = file === null ? null : line === null ? file : `${file}:${line}`;
  const packageName =
    component === null ? null : [component, text('component_version')].filter((part) => part).join('@');
  const isAccepted = flag('risk_accepted') === true;
  return {
    kind: 'finding',
    asset: host && { name: host.name, ipAddresses: host.address === null ? [] : [host.address] },
    source: finding.tool,
    type: 'va',
    name,
    status: flag('is_mitigated') ? 'pass' : 'fail',
    severity: severityOf(finding),
    cves: cvesIn(ids),
    standards: {
      cwe: cwesOf(finding.cwes),
      advisory: ids.filter((id) => id !== null && !/^CVE-/i.test(id)) as string[],
      tool: [text('vuln_id_from_tool')].filter((id) => id !== null),
    },
    description: text('description'),
    impact: text('impact'),
    evidence: paragraphs(
      labelled('At', endpoint),
      labelled('In', where),
      labelled('Component', packageName),
      text('steps_to_reproduce'),
      text('severity_justification'),
    ),
    remediation: text('mitigation'),
    references: text('references')?.split(/\s+/) ?? [],
    detectionId:
      [endpoint, where, packageName].filter((part) => part !== null).join(' ') || text('unique_id_from_tool'),
    tags: {
      ...(tags.length > 0 && { tags }),
      ...(component && { package: [component] }),
      ...(text('service') && { service: [text('service')!] }),
    },
    lastSeen: instantOf(text('date')),
    controlType: 'detection',
    notes: isAccepted ? ['its risk was accepted in DefectDojo: accept the finding in this service too'] : [],
  };
}

/** The newest stated CVSS; a score without a vector counts as well, and one of 0 is none. */
function severityOf({ text }: DojoFinding): FoundSeverity {
  const level = severityLevel(text('severity'));
  for (const version of ['cvssv4', 'cvssv3', 'cvssv2']) {
    const score = scoreOf(text(`${version}_score`)) || null;
    const cvss = cvssOf({ vector: text(version), baseScore: score });
    if (cvss) return { value: score, level, cvss };
  }
  return { level };
}
