import type { RawSecurityContext } from '#libs/domain';
import type { Finding, FoundSeverity } from '../format.ts';
import { inRange } from '../mapping/cvss.ts';
import type { Clipper } from './clip.ts';

const IDS_MAX = 500;
const VALUES_MAX = 50;
const KEYS_MAX = 50;

/** What one instance of a finding says (spec §Signal, D9). */
export function contextOf(finding: Finding, clip: Clipper): RawSecurityContext {
  const { type, subType, status, evidence, port, protocol, detectionId } = finding;
  const standards = standardsMapping(finding, clip);
  const tags = tagsOf(finding.tags ?? {}, clip);
  return {
    type,
    ...(subType && { subType: clip.text('id', subType) }),
    status: { complianceStatus: status },
    severity: severityOf(finding.severity),
    ...(standards.length > 0 && { standardsMapping: standards }),
    ...(finding.techniques?.length && {
      attackPattern: finding.techniques
        .slice(0, IDS_MAX)
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

/** What a finding says once for all its instances. */
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
  const { version, vector, baseScore, temporalScore } = cvss ?? {};
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
      },
    }),
  };
}

export const hasSeverity = ({ value, level }: FoundSeverity): boolean =>
  inRange(value) !== null || (level ?? null) !== null;

function standardsMapping({ cves = [], standards = {} }: Finding, clip: Clipper) {
  const named = Object.entries(standards).slice(0, KEYS_MAX);
  return [
    ...(cves.length > 0 ? [{ name: 'cve', value: cves.slice(0, IDS_MAX) }] : []),
    ...named
      .map(([name, values]) => ({
        name: clip.text('id', name.trim() || 'standard'),
        value: textsOf(values)
          .slice(0, IDS_MAX)
          .map((value) => clip.text('standard', value)),
      }))
      .filter(({ value }) => value.length > 0),
  ];
}

/** Also those of an asset. Keys that would name a port or an instance are no tags of a report's. */
export function tagsOf(tags: Record<string, string[]>, clip: Clipper): Record<string, string[]> {
  const kept: Record<string, string[]> = {};
  for (const [key, values] of Object.entries(tags).slice(0, KEYS_MAX)) {
    const texts = textsOf(values)
      .slice(0, VALUES_MAX)
      .map((value) => clip.text('tag', value));
    if (texts.length > 0 && key !== '__proto__') kept[clip.unique('id', key)] = texts;
  }
  return kept;
}

const textsOf = (values: string[]): string[] => [
  ...new Set(values.map((value) => value.trim()).filter((value) => value !== '')),
];
