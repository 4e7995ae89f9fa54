import type {
  Finding,
  Format,
  FoundAsset,
  FoundSeverity,
  ReadOptions,
  ReportItem,
  SeverityLevel,
} from '../format.ts';
import { cvssOf, inRange } from '../mapping/cvss.ts';
import { cvesIn, cwesOf } from '../mapping/ids.ts';
import { instantOf, instantOfEpoch } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { numberOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childrenOf, textIn, textsIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';

/** Nessus v2, as Nessus and the other scanners of its maker export it. */
export const nessus: Format = {
  name: 'nessus',
  aliases: ['tenable'],
  title: 'Nessus v2 (.nessus)',
  unit: 'a ReportItem',
  source: 'Nessus',
  recognises: ({ syntax, head }) => syntax === 'xml' && head.includes('<NessusClientData_v2'),
  read,
};

const PARTS = {
  elements: ['ReportHost/HostProperties', 'ReportHost/ReportItem'],
  marks: ['Report/ReportHost'],
};

/** A host as far as it was read. */
interface Host {
  asset: FoundAsset;
  seenAt: string | null;
}

async function* read(file: ReportFile, { reached }: ReadOptions): AsyncGenerator<ReportItem> {
  let host: Host = { asset: { name: '' }, seenAt: null };
  for await (const event of xmlEvents(file, PARTS, reached)) {
    if (event.kind === 'begin') {
      host = { asset: { name: event.attributes.name?.trim() ?? '' }, seenAt: null };
    } else if (event.kind === 'element' && event.element.name === 'HostProperties') {
      host = hostOf(host.asset.name, event.element);
      yield { kind: 'asset', place: `line ${event.element.line}`, asset: host.asset };
    } else if (event.kind === 'element') {
      yield findingOf(event.element, host);
    }
  }
}

const MAC = /[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}/gi;

/** Properties that tell the machine in a cloud or in an agent's list. */
const ID_PROPERTIES =
  /^(?:(?:aws|azure|gcp|google)-.*(?:id|name|zone|region)|bios-uuid|agent-uuid|host-uuid)$/i;

function hostOf(name: string, properties: XmlElement): Host {
  const given = new Map(
    childrenOf(properties, 'tag').map((tag) => [tag.attributes.name ?? '', tag.text.trim()] as const),
  );
  const property = (key: string) => given.get(key) || null;
  const fqdn = property('host-fqdn')?.split(/[\s,]/, 1)[0] ?? null;
  const netbios = property('netbios-name')?.split('\\').at(-1) ?? null;
  const ids = [...given].filter(([key, value]) => ID_PROPERTIES.test(key) && value !== '');
  return {
    asset: {
      name: fqdn ?? netbios ?? (name || property('host-ip') || ''),
      ipAddresses: [property('host-ip')].filter((address) => address !== null),
      macAddresses: property('mac-address')?.match(MAC) ?? [],
      fqdn,
      hostname: netbios,
      os: property('operating-system')?.split('\n', 1)[0] ?? property('os'),
      tags: Object.fromEntries(ids.map(([key, value]) => [key, [value]])),
    },
    seenAt:
      instantOfEpoch(numberOf(given.get('HOST_END_TIMESTAMP'))) ??
      instantOf(property('HOST_END')) ??
      instantOfEpoch(numberOf(given.get('HOST_START_TIMESTAMP'))),
  };
}

const LEVELS: SeverityLevel[] = ['info', 'low', 'medium', 'high', 'critical'];

function findingOf(item: XmlElement, { asset, seenAt }: Host): Finding {
  const { attributes } = item;
  const port = numberOf(attributes.port);
  const pluginId = attributes.pluginID ?? '';
  const base = {
    kind: 'finding' as const,
    place: `line ${item.line}`,
    asset: asset.name === '' ? null : asset,
    port: port === 0 ? null : port,
    protocol: port === 0 ? null : (attributes.protocol ?? null),
    lastSeen: seenAt,
    controlType: 'detection',
    tags: {
      ...(attributes.svc_name && { service: [attributes.svc_name] }),
      ...(attributes.pluginFamily && { family: [attributes.pluginFamily] }),
    },
  };
  if (textIn(item, 'cm:compliance-result') !== null) return { ...base, ...complianceOf(item, pluginId) };
  const cves = cvesIn(...textsIn(item, 'cve'));
  return {
    ...base,
    type: 'va',
    name: attributes.pluginName || textIn(item, 'plugin_name') || `Nessus plugin ${pluginId}`,
    status: 'fail',
    severity: severityOf(item),
    cves,
    standards: {
      cwe: cwesOf(...textsIn(item, 'cwe').map(numberOf)),
      nessus: pluginId === '' ? [] : [pluginId],
      xref: textsIn(item, 'xref'),
    },
    description: paragraphs(textIn(item, 'synopsis'), textIn(item, 'description')),
    evidence: textIn(item, 'plugin_output'),
    remediation: textIn(item, 'solution'),
    references: textIn(item, 'see_also')?.split(/\s+/) ?? [],
  };
}

/** The newest CVSS that the item has. */
function severityOf(item: XmlElement): FoundSeverity {
  for (const prefix of ['cvss4', 'cvss3', 'cvss']) {
    const baseScore = numberOf(textIn(item, `${prefix}_base_score`));
    const vector = textIn(item, `${prefix}_vector`);
    if (inRange(baseScore) === null) continue;
    const temporalScore = numberOf(textIn(item, `${prefix}_temporal_score`));
    return { value: baseScore, level: levelOf(item), cvss: cvssOf({ vector, baseScore, temporalScore }) };
  }
  return { level: levelOf(item) };
}

const levelOf = ({ attributes }: XmlElement): SeverityLevel => LEVELS[Number(attributes.severity)] ?? 'info';

const STATUSES: Record<string, Finding['status']> = { PASSED: 'pass', FAILED: 'fail' };

/** An audited setting: warnings and errors of the audit leave it not assessed. */
function complianceOf(
  item: XmlElement,
  pluginId: string,
): Pick<
  Finding,
  | 'type'
  | 'name'
  | 'status'
  | 'severity'
  | 'standards'
  | 'description'
  | 'evidence'
  | 'remediation'
  | 'references'
> {
  const part = (name: string) => textIn(item, `cm:compliance-${name}`);
  return {
    type: 'ca',
    name: part('check-name') ?? `Nessus check ${part('check-id') ?? pluginId}`,
    status: STATUSES[part('result')!.toUpperCase()] ?? 'unknown',
    severity: { level: levelOf(item) === 'info' ? 'medium' : levelOf(item) },
    standards: { ...standardsOf(part('reference')), nessus: [pluginId] },
    description: part('info'),
    evidence: paragraphs(
      labelled('Expected', part('policy-value')),
      labelled('Found', part('actual-value')),
      labelled('Error', part('error')),
    ),
    remediation: part('solution'),
    references: part('see-also')?.split(/\s+/) ?? [],
  };
}

/** `800-53|AC-1,CSCv6|3.1` */
function standardsOf(reference: string | null): Record<string, string[]> {
  const standards: Record<string, string[]> = {};
  for (const pair of reference?.split(',') ?? []) {
    const [name, value] = pair.split('|').map((part) => part.trim());
    if (name && value && name !== '__proto__') standards[name] = [...(standards[name] ?? []), value];
  }
  return standards;
}
