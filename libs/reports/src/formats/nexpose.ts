import { isFqdn, isLoopbackName, severityLevelOf, wholeNetbiosName } from '#libs/domain';
import type { Format, FoundAsset, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf } from '../mapping/cvss.ts';
import { cvesIn, cwesOf } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { numberOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childOf, childrenOf, textsIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';

/** The XML export of Nexpose and InsightVM, versions 1.0 and 2.0. */
export const nexpose: Format = {
  name: 'nexpose',
  aliases: ['insightvm'],
  title: 'Rapid7 Nexpose and InsightVM (XML Export)',
  noun: 'an XML Export of Nexpose',
  unit: 'a test of a host or service',
  source: 'Nexpose',
  forms: [
    {
      syntax: 'xml',
      marks: ['/NexposeReport@version'],
      lists: ['/NexposeReport/nodes'],
      partial: ['/NexposeReport/scans/scan@status!=finished'],
    },
  ],
  read,
};

const PARTS = {
  marks: ['nodes/node', 'endpoints/endpoint', 'services/service'],
  elements: ['scans/scan', 'node/names', 'node/fingerprints', 'tests/test'],
};

/** What is around a test. */
interface Place {
  asset: FoundAsset | null;
  port: number | null;
  protocol: string | null;
  service: string | null;
}

const NO_SERVICE = { port: null, protocol: null, service: null };

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const glossary = await readGlossary(file);
  const scans = new Map<string, string | null>();
  let node: Record<string, string> = {};
  let parts = new Map<string, XmlElement>();
  let place: Place = { asset: null, ...NO_SERVICE };
  for await (const event of xmlEvents(file, PARTS, onProgress)) {
    if (event.kind === 'begin') {
      const { name, attributes } = event;
      if (name === 'node') {
        node = attributes;
        parts = new Map();
        place = { asset: null, ...NO_SERVICE };
      } else if (name === 'endpoint') {
        const port = numberOf(attributes.port);
        place = { ...place, ...NO_SERVICE, port, protocol: attributes.protocol?.toLowerCase() ?? null };
      } else {
        place = { ...place, service: attributes.name ?? null };
      }
    } else if (event.kind === 'end') {
      if (event.name === 'node') {
        const asset = place.asset ?? assetOf(node, parts);
        if (asset) yield { kind: 'asset', place: 'node', asset };
      } else if (event.name === 'endpoint') {
        place = { ...place, ...NO_SERVICE };
      }
    } else if (event.element.name === 'scan') {
      const { id = '', endTime, startTime } = event.element.attributes;
      scans.set(id, instantOf(endTime) ?? instantOf(startTime));
    } else if (event.element.name === 'test') {
      place.asset ??= assetOf(node, parts);
      yield testOf(event.element, place, glossary, scans);
    } else {
      parts.set(event.element.name, event.element);
    }
  }
}

/** The definitions of vulnerabilities, which come after the hosts, by their ids in lower case. */
async function readGlossary(file: ReportFile): Promise<Map<string, XmlElement>> {
  const glossary = new Map<string, XmlElement>();
  const parts = { elements: ['VulnerabilityDefinitions/vulnerability'], marks: [] };
  for await (const event of xmlEvents(file, parts)) {
    if (event.kind === 'element')
      glossary.set((event.element.attributes.id ?? '').toLowerCase(), event.element);
  }
  return glossary;
}

/** Names and fingerprints precede the tests of a host. */
function assetOf(node: Record<string, string>, parts: Map<string, XmlElement>): FoundAsset | null {
  const address = node.address?.trim() || null;
  const names = textsIn(parts.get('names'), 'name').filter((each) => !isLoopbackName(each));
  const fqdn = names.find(isFqdn) ?? null;
  const bare = names.find((name) => !isFqdn(name)) ?? null;
  const name = fqdn ?? wholeNetbiosName(bare) ?? address;
  if (name === null) return null;
  const [os] = childrenOf(parts.get('fingerprints'), 'os');
  return {
    name,
    ipAddresses: address === null ? [] : [address],
    macAddresses: node['hardware-address'] ? [macOf(node['hardware-address'])] : [],
    fqdn,
    hostname: bare,
    os: os ? osOf(os) : null,
    tags: {
      ...(node['device-id'] && { nexposeDeviceId: [node['device-id']] }),
      ...(node['site-name'] && { site: [node['site-name']] }),
    },
  };
}

/** `E4CE8F490D7C` */
const macOf = (digits: string): string =>
  /^[0-9a-f]{12}$/i.test(digits) ? digits.match(/../g)!.join(':') : digits;

const osOf = ({ attributes: { vendor, product, version } }: XmlElement): string =>
  [...new Set([vendor, product, version])].filter(Boolean).join(' ');

function testOf(
  test: XmlElement,
  { asset, port, protocol, service }: Place,
  glossary: Map<string, XmlElement>,
  scans: Map<string, string | null>,
): ReportItem {
  const place = `line ${test.line}`;
  const { id = '', key, status = '', 'scan-id': scanId, 'vulnerable-since': since } = test.attributes;
  const definition = glossary.get(id.toLowerCase());
  const name = definition?.attributes.title ?? id;
  const reason = reasonFor(status);
  if (reason !== null) return { kind: 'unmapped', place, name: name || 'test', reason };
  if (name === '') return { kind: 'unmapped', place, name: 'test', reason: 'has no name' };
  const references = childrenOf(childOf(definition, 'references'), 'reference');
  const from = (source: string): string[] =>
    references.filter(({ attributes }) => attributes.source === source).map(({ text }) => text.trim());
  return {
    kind: 'finding',
    place,
    asset,
    type: 'va',
    name,
    status: 'fail',
    severity: severityOf(definition),
    cves: cvesIn(id, from('CVE')),
    standards: {
      cwe: cwesOf(from('CWE')),
      nexpose: [id],
      advisory: references
        .filter(({ attributes: { source } }) => !['CVE', 'CWE', 'URL'].includes(source ?? ''))
        .map(({ attributes: { source }, text }) => `${source} ${text.trim()}`),
    },
    description: flatText(childOf(definition, 'description')),
    evidence: paragraphs(labelled('Key', key), flatText(test)),
    remediation: flatText(childOf(definition, 'solution')),
    references: from('URL'),
    port,
    protocol,
    detectionId: port === null ? key || null : null,
    tags: { ...(service && { service: [service] }) },
    firstSeen: instantOf(since),
    lastSeen: (scanId === undefined ? [...scans.values()].at(-1) : scans.get(scanId)) ?? null,
    controlType: 'detection',
  };
}

/** Why a test is no finding; null if it found a vulnerability. */
function reasonFor(status: string): string | null {
  if (status.startsWith('vulnerable')) return null;
  if (status.startsWith('exception')) return 'excluded by an exception in the report';
  if (status.startsWith('not-vulnerable')) return 'is a test that found nothing';
  return 'is a test without a result: skipped, failed or overridden';
}

/** The level of the severity, 0 to 10; a CVSS score of 0 is none. */
function severityOf(definition: XmlElement | undefined): FoundSeverity {
  const { severity, cvssScore, cvssVector } = definition?.attributes ?? {};
  const points = numberOf(severity);
  const level = points === null ? null : severityLevelOf(points);
  const baseScore = numberOf(cvssScore);
  if (!baseScore) return { level };
  const vector = cvssVector?.replace(/[()]/g, '') || null;
  return { value: baseScore, level, cvss: cvssOf({ version: '2.0', vector, baseScore }) };
}

/** The text of paragraphs and lists; of a link, its address too. */
function flatText(element: XmlElement | undefined): string | null {
  if (element === undefined) return null;
  const { name, attributes, text, children } = element;
  const own = [text.replace(/\s+/g, ' ').trim(), attributes.LinkURL].filter(Boolean).join(' ');
  return paragraphs(name === 'ListItem' && own ? `- ${own}` : own, children.map(flatText));
}
