import { KEY_TAGS, type RawSecurityContext } from '#libs/domain';
import type { Finding, FoundSeverity } from '../format.ts';
import { inRange } from '../mapping/cvss.ts';
import type { Clipper } from './clip.ts';

const IDS_MAX = 500;
const VALUES_MAX = 50;
const KEYS_MAX = 50;

/** The security context of one instance. */
export function contextOf(finding: Finding, clip: Clipper): RawSecurityContext {
  const { type, subType, status, evidence, port, protocol, detectionId } = finding;
  const standards = standardsMapping(finding, clip);
  const tags = tagsOf(finding.tags ?? {}, clip, KEY_TAGS);
  return {
    type,
    ...(subType && { subType: clip.text('id', subType) }),
    status: { complianceStatus: status },
    severity: severityOf(finding.severity),
    ...(standards.length > 0 && { standardsMapping: standards }),
    ...(finding.techniques?.length && {
      attackPattern: clip
        .first(IDS_MAX, finding.techniques, 'techniques of an instance')
        .map((techniqueId) => ({ mapping: { techniqueId } })),
    }),
    ...(evidence && { evidence: { observationText: clip.text('evidence', evidence) } }),
    ...(detectionId && { detectionId: clip.unique('id', detectionId) }),
    ...(!detectionId && isPort(port) && { port, ...(protocol && { protocol: clip.text('id', protocol) }) }),
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}

const isPort = (port: number | null | undefined): port is number =>
  port !== null && port !== undefined && Number.isInteger(port) && port > 0 && port < 65_536;

/** The common data of all instances of a finding. */
export function sharedPart(finding: Finding, clip: Clipper): Partial<RawSecurityContext> {
  const { impact, remediation, references = [], controlType } = finding;
  const reference = [...new Set(references.map((each) => each.trim()).filter((each) => each !== ''))].join(
    '\n',
  );
  const described = {
    ...(remediation && { description: clip.text('remediation', remediation) }),
    ...(reference !== '' && { reference: clip.text('reference', reference) }),
  };
  return {
    ...(Object.keys(described).length > 0 && { remediation: described }),
    ...(impact && { description: { businessImpact: clip.text('impact', impact) } }),
    ...(controlType && { controlType: clip.text('id', controlType) }),
  };
}

/** A finding without any severity counts as medium: unknown is not harmless. */
function severityOf({ value, level, cvss }: FoundSeverity): NonNullable<RawSecurityContext['severity']> {
  const score = inRange(value);
  const { version, vector, baseScore, temporalScore, environmentalScore } = cvss ?? {};
  return {
    ...(score !== null && { value: score }),
    ...(level ? { level } : score === null && { level: 'medium' }),
    ...(cvss && {
      type: 'cvss',
      cvss: {
        ...(version && { version: version.slice(0, 20) }),
        ...(vector && vector.length <= 1_000 && { vector }),
        ...(inRange(baseScore) !== null && { baseScore: baseScore! }),
        ...(inRange(temporalScore) !== null && { temporalScore: temporalScore! }),
        ...(inRange(environmentalScore) !== null && { environmentalScore: environmentalScore! }),
      },
    }),
  };
}

export const hasSeverity = ({ value, level }: FoundSeverity): boolean =>
  inRange(value) !== null || (level ?? null) !== null;

function standardsMapping({ cves = [], standards = {} }: Finding, clip: Clipper) {
  const named = clip.first(KEYS_MAX, filledIn(standards), 'standards of an instance');
  return [
    ...(cves.length > 0 ? [{ name: 'cve', value: clip.first(IDS_MAX, cves, 'CVEs of an instance') }] : []),
    ...named.map(([name, values]) => ({
      name: clip.text('id', name.trim() || 'standard'),
      value: clip.first(IDS_MAX, values, 'ids of a standard').map((value) => clip.text('standard', value)),
    })),
  ];
}

/**
 * Also those of an asset.
 * @param reserved names in lower case that are not tags here, such as the ones that name an instance
 */
export function tagsOf(
  tags: Record<string, string[]>,
  clip: Clipper,
  reserved: ReadonlySet<string> = new Set(),
): Record<string, string[]> {
  const kept: Record<string, string[]> = {};
  for (const [key, values] of clip.first(KEYS_MAX, filledIn(tags), 'tags')) {
    if (key === '__proto__') continue;
    if (reserved.has(key.toLowerCase())) {
      clip.notes.add(`tag ${key} left out: it would name an instance`);
      continue;
    }
    const first = clip.first(VALUES_MAX, values, 'values of a tag');
    kept[clip.unique('id', key)] = first.map((value) => clip.text('tag', value));
  }
  return kept;
}

/** The lists that have anything in them. */
const filledIn = (lists: Record<string, string[]>): [string, string[]][] =>
  Object.entries(lists)
    .map(([name, values]): [string, string[]] => [name, textsOf(values)])
    .filter(([, values]) => values.length > 0);

const textsOf = (values: string[]): string[] => [
  ...new Set(values.map((value) => value.trim()).filter((value) => value !== '')),
];
