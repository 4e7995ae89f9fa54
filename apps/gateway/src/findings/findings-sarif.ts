import type { ExportFormat } from '../paging/export-format.ts';
import type { FindingItemDto } from './finding.dto.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * SARIF 2.1.0, one run. The asset is the logical location, finding type and name are the rule, the finding's id is the
 * fingerprint. Rules are named only by their results: a list of them would have to be kept in memory until the end.
 */
export const findingsSarif: ExportFormat<FindingItemDto> = {
  mediaType: 'application/sarif+json; charset=utf-8',
  extension: 'sarif',
  beginning: () =>
    `{"$schema":${JSON.stringify(SCHEMA)},"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Risk Posture Service"}},"results":[`,
  items: (items, isFirst) =>
    items.map((item, i) => `${isFirst && i === 0 ? '' : ','}\n${JSON.stringify(resultOf(item))}`).join(''),
  end: () => '\n]}]}\n',
};

/** A finding as a `result` (SARIF 2.1.0, §3.27). */
function resultOf(item: FindingItemDto) {
  const { id, assetId, assetName, type, name, state, severity, accepted } = item;
  return {
    ruleId: `${type}/${name}`,
    ...kindOf(item),
    message: { text: plainMessage(`${name} on ${assetName}`) },
    locations: [{ logicalLocations: [{ name: assetName, fullyQualifiedName: assetId, kind: 'resource' }] }],
    fingerprints: { 'posture/findingId/v1': id },
    ...(state === 'Retired' && { baselineState: 'absent' }),
    suppressions: accepted
      ? [{ kind: 'external', status: 'accepted', justification: accepted.rationale }]
      : [],
    properties: {
      'security-severity': severity.value.toFixed(1),
      state,
      findingType: type,
      cves: item.cves,
      techniques: item.techniques,
      ssvc: item.ssvc?.decision ?? null,
      source: item.source,
      firstSeen: item.firstSeen,
      lastSeen: item.lastSeen,
      expiresAt: item.expiresAt,
    },
  };
}

/** Braces mark placeholders and are doubled (§3.11.5). `[text](target)` is a link, for which there is no escape (§3.11.6). */
const plainMessage = (text: string): string => text.replace(/[{}]/g, '$&$&').replaceAll('](', '] (');

/** Only failures have a level (§3.27.10). */
function kindOf({ state, severity }: FindingItemDto): { kind: string; level: string } {
  if (state === 'Qualified') return { kind: 'pass', level: 'none' };
  if (state === 'NotAssessed') return { kind: 'open', level: 'none' };
  return { kind: 'fail', level: levelOf(severity) };
}

/** `error` from high on, `warning` for medium, `note` below; by the CVSS rating if the source names no level. */
function levelOf({ level, value }: FindingItemDto['severity']): string {
  if (level === 'critical' || level === 'high') return 'error';
  if (level === 'medium') return 'warning';
  if (level !== null) return 'note';
  if (value >= 7) return 'error';
  return value >= 4 ? 'warning' : 'note';
}
