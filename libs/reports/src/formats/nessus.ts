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
import { cvesIn, cwesIn, cwesOf } from '../mapping/ids.ts';
import { instantOf, instantOfEpoch } from '../mapping/instants.ts';
import { lookup } from '../mapping/lookup.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { numberOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childrenOf, textIn, textsIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';
import { isUnreachable, tenableHost, UNREACHABLE } from './tenable-host.ts';

/** Nessus v2, as Nessus and the other scanners of its maker export it. */
export const nessus: Format = {
  name: 'nessus',
  aliases: ['tenable'],
  title: 'Nessus v2 (.nessus)',
  noun: 'a Nessus v2 report',
  unit: 'a ReportItem',
  source: 'Nessus',
  forms: [{ syntax: 'xml', marks: ['/NessusClientData_v2'], lists: ['/NessusClientData_v2/Report'] }],
  read,
};

const PARTS = {
  elements: ['ReportHost/HostProperties', 'ReportHost/ReportItem'],
  marks: ['Report/ReportHost'],
};

/** A host with the values read so far. */
interface Host {
  asset: FoundAsset;
  /** The target of a web application scan; null in scans of hosts. */
  url: string | null;
  seenAt: string | null;
}

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  let scanned = '';
  let host = hostOf(scanned);
  let assessed: ReportItem | null = null;
  for await (const event of xmlEvents(file, PARTS, onProgress)) {
    if (event.kind === 'begin') {
      scanned = event.attributes.name?.trim() ?? '';
      host = hostOf(scanned);
      assessed = null;
    } else if (event.kind === 'end') {
      if (assessed) yield assessed;
    } else if (event.element.name === 'HostProperties') {
      host = hostOf(scanned, event.element);
      assessed = { kind: 'asset', place: `line ${event.element.line}`, asset: host.asset };
    } else {
      const item = itemOf(event.element, host);
      if (item.kind === 'unmapped') assessed = null;
      yield item;
    }
  }
}

const MAC = /[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}/gi;

/** Properties that identify the machine in a cloud or in an agent's list. */
const ID_PROPERTIES =
  /^(?:(?:aws|azure|gcp|google)-.*(?:id|name|zone|region)|bios-uuid|agent-uuid|host-uuid)$/i;

/** @param scanned the name of the ReportHost: a host name, an address or a URL */
function hostOf(scanned: string, properties?: XmlElement): Host {
  const given = new Map(
    childrenOf(properties, 'tag').map((tag) => [tag.attributes.name ?? '', tag.text.trim()] as const),
  );
  const property = (key: string) => given.get(key) || null;
  const url = scanned.includes('://') ? scanned : null;
  const ids = [...given].filter(([key, value]) => ID_PROPERTIES.test(key) && value !== '');
  return {
    asset: {
      ...tenableHost({
        scanned,
        fqdn: property('host-fqdn'),
        address: property('host-ip'),
        netbios: property('netbios-name'),
      }),
      macAddresses: property('mac-address')?.match(MAC) ?? [],
      os: property('operating-system')?.split('\n', 1)[0] ?? property('os'),
      tags: { ...Object.fromEntries(ids.map(([key, value]) => [key, [value]])), ...(url && { url: [url] }) },
    },
    url,
    seenAt:
      instantOfEpoch(numberOf(given.get('HOST_END_TIMESTAMP'))) ??
      instantOf(property('HOST_END')) ??
      instantOfEpoch(numberOf(given.get('HOST_START_TIMESTAMP'))),
  };
}

const LEVELS: SeverityLevel[] = ['info', 'low', 'medium', 'high', 'critical'];

function itemOf(item: XmlElement, { asset, url, seenAt }: Host): ReportItem {
  const { attributes } = item;
  const port = numberOf(attributes.port);
  const pluginId = attributes.pluginID ?? '';
  const name = attributes.pluginName || textIn(item, 'plugin_name') || `Nessus plugin ${pluginId}`;
  const place = `line ${item.line}`;
  const output = textIn(item, 'plugin_output');
  if (isUnreachable(pluginId, output)) return { kind: 'unmapped', place, name, reason: UNREACHABLE };
  const base = {
    kind: 'finding' as const,
    place,
    asset: asset.name === '' ? null : asset,
    detectionId: url,
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
  const cves = cvesIn(textsIn(item, 'cve'));
  return {
    ...base,
    type: 'va',
    name,
    status: 'fail',
    severity: severityOf(item),
    cves,
    standards: {
      cwe: [...cwesOf(textsIn(item, 'cwe')), ...cwesIn(textsIn(item, 'xref'))],
      nessus: pluginId === '' ? [] : [pluginId],
      xref: textsIn(item, 'xref'),
    },
    description: paragraphs(textIn(item, 'synopsis'), textIn(item, 'description')),
    evidence: output,
    remediation: textIn(item, 'solution'),
    references: textsIn(item, 'see_also').flatMap((text) => text.split(/\s+/)),
  };
}

/** Each version of CVSS, the newest first: its fields begin so, and web application scans have only its score. */
const CVSS_FIELDS = [
  { prefix: 'cvss4', score: 'cvssv4', version: '4.0' },
  { prefix: 'cvss3', score: 'cvssv3', version: '3.0' },
  { prefix: 'cvss', score: 'cvss', version: '2.0' },
];

/** The newest CVSS that the item has. */
function severityOf(item: XmlElement): FoundSeverity {
  const level = levelOf(item);
  for (const { prefix, score, version } of CVSS_FIELDS) {
    const baseScore = numberOf(textIn(item, `${prefix}_base_score`) ?? textIn(item, score));
    if (inRange(baseScore) === null) continue;
    const vector = textIn(item, `${prefix}_vector`);
    const temporalScore = numberOf(textIn(item, `${prefix}_temporal_score`));
    return { value: baseScore, level, cvss: cvssOf({ version, vector, baseScore, temporalScore }) };
  }
  return { level };
}

const levelOf = ({ attributes }: XmlElement): SeverityLevel | null =>
  LEVELS[numberOf(attributes.severity) ?? -1] ?? null;

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
  const level = levelOf(item) ?? 'info';
  return {
    type: 'ca',
    name: part('check-name') ?? `Nessus check ${part('check-id') ?? pluginId}`,
    status: lookup(STATUSES, part('result')!.toUpperCase()) ?? 'unknown',
    severity: { level: level === 'info' ? 'medium' : level },
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
    if (!name || !value || name === '__proto__') continue;
    standards[name] = [...(lookup(standards, name) ?? []), value];
  }
  return standards;
}
