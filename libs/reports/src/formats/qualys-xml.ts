import type { MarkedForm } from '../form.ts';
import type { FoundAsset, ReadOptions, ReportItem } from '../format.ts';
import { isTrue, textOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childOf, childrenOf, textIn, textsIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';
import { beginsAs } from '../recognise.ts';
import { qualysAsset, qualysItem } from './qualys-detection.ts';

const ASSET_DATA: MarkedForm = {
  syntax: 'xml',
  marks: ['/ASSET_DATA_REPORT'],
  lists: ['/ASSET_DATA_REPORT/HOST_LIST'],
};
const DETECTIONS: MarkedForm = {
  syntax: 'xml',
  marks: ['/HOST_LIST_VM_DETECTION_OUTPUT'],
  lists: ['/HOST_LIST_VM_DETECTION_OUTPUT/RESPONSE/HOST_LIST'],
  // One page of several.
  partial: ['/HOST_LIST_VM_DETECTION_OUTPUT/RESPONSE/WARNING/CODE=1980'],
};
const SCAN: MarkedForm = { syntax: 'xml', marks: ['/SCAN@value=scan/*'], lists: ['/SCAN/IP'] };

export const QUALYS_XML_FORMS = [ASSET_DATA, DETECTIONS, SCAN];

/** By the root element: the evidence of a host may contain the tags of another form. */
export function readQualysXml(file: ReportFile, options: ReadOptions): AsyncGenerator<ReportItem> {
  return beginsAs(file, SCAN) ? readScan(file, options) : readHosts(file, options);
}

/** The parts of a host that identify it; they precede its detections. */
const HOST_PARTS = [
  'IP',
  'IPV6',
  'DNS',
  'NETBIOS',
  'OPERATING_SYSTEM',
  'OS',
  'ID',
  'QG_HOSTID',
  'EC2_INSTANCE_ID',
];

/** The asset data report, whose glossary comes after the hosts, and the detections of the API, which have none. */
async function* readHosts(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const glossary = beginsAs(file, ASSET_DATA) ? await readGlossary(file) : new Map();
  const parts = {
    marks: ['HOST_LIST/HOST'],
    elements: [
      ...HOST_PARTS.map((name) => `HOST/${name}`),
      'HOST/ASSET_TAGS',
      'VULN_INFO_LIST/VULN_INFO',
      'DETECTION_LIST/DETECTION',
    ],
  };
  let host = new Map<string, string>();
  let asset: FoundAsset | null = null;
  for await (const event of xmlEvents(file, parts, onProgress)) {
    if (event.kind === 'begin') {
      host = new Map();
      asset = null;
    } else if (event.kind === 'end') {
      asset ??= hostOf(host);
      if (asset) yield { kind: 'asset', place: 'HOST', asset };
    } else if (event.element.name === 'VULN_INFO' || event.element.name === 'DETECTION') {
      asset ??= hostOf(host);
      yield detectionOf(event.element, asset, glossary);
    } else {
      const { name, text, children } = event.element;
      const words = name === 'ASSET_TAGS' ? children.map((tag) => tag.text.trim()).join(',') : text.trim();
      if (words !== '') host.set(name, words);
    }
  }
}

function hostOf(host: Map<string, string>): FoundAsset | null {
  const id = host.get('EC2_INSTANCE_ID') ?? null;
  const hostId = host.get('QG_HOSTID') ?? host.get('ID') ?? null;
  return qualysAsset({
    address: host.get('IP') ?? host.get('IPV6') ?? null,
    dns: host.get('DNS') ?? null,
    netbios: host.get('NETBIOS') ?? null,
    os: host.get('OPERATING_SYSTEM') ?? host.get('OS') ?? null,
    tags: {
      ...(id && { 'ec2-instance-id': [id] }),
      ...(hostId && { qualysAssetId: [hostId] }),
      ...(host.has('ASSET_TAGS') && { qualysTags: host.get('ASSET_TAGS')!.split(',') }),
    },
  });
}

async function readGlossary(file: ReportFile): Promise<Map<string, XmlElement>> {
  const glossary = new Map<string, XmlElement>();
  const parts = { elements: ['VULN_DETAILS_LIST/VULN_DETAILS'], marks: [] };
  for await (const event of xmlEvents(file, parts)) {
    if (event.kind === 'element') glossary.set(textIn(event.element, 'QID') ?? '', event.element);
  }
  return glossary;
}

function detectionOf(
  detection: XmlElement,
  asset: FoundAsset | null,
  glossary: Map<string, XmlElement>,
): ReportItem {
  const qid = textIn(detection, 'QID') ?? '';
  const details = glossary.get(qid);
  const score = (group: string, name: string) => textIn(childOf(details, group), name);
  return qualysItem({
    place: `line ${detection.line}`,
    asset,
    qid,
    title: textIn(details, 'TITLE') ?? textIn(detection, 'TITLE'),
    type: textIn(detection, 'TYPE'),
    severity: textIn(detection, 'SEVERITY') ?? textIn(details, 'SEVERITY'),
    status: textIn(detection, 'VULN_STATUS') ?? textIn(detection, 'STATUS'),
    isIgnored: isTrue(textIn(detection, 'IS_IGNORED')),
    isDisabled: isTrue(textIn(detection, 'IS_DISABLED')),
    category: textIn(details, 'CATEGORY'),
    port: textIn(detection, 'PORT'),
    protocol: textIn(detection, 'PROTOCOL'),
    cves: childrenOf(childOf(details, 'CVE_ID_LIST'), 'CVE_ID').map((cve) => textIn(cve, 'ID')),
    cvss: [
      {
        base: score('CVSS3_SCORE', 'CVSS3_BASE'),
        temporal: score('CVSS3_SCORE', 'CVSS3_TEMPORAL'),
        final: textIn(detection, 'CVSS3_FINAL'),
        version: '3.0',
      },
      {
        base: score('CVSS_SCORE', 'CVSS_BASE'),
        temporal: score('CVSS_SCORE', 'CVSS_TEMPORAL'),
        final: textIn(detection, 'CVSS_FINAL'),
        version: '2.0',
      },
    ],
    threat: textIn(details, 'THREAT'),
    impact: textIn(details, 'IMPACT'),
    solution: textIn(details, 'SOLUTION'),
    results: textIn(detection, 'RESULT') ?? textIn(detection, 'RESULTS'),
    vendorReferences: childrenOf(childOf(details, 'VENDOR_REFERENCE_LIST'), 'VENDOR_REFERENCE')
      .map((reference) => textIn(reference, 'ID'))
      .filter((id) => id !== null),
    instance: textIn(detection, 'INSTANCE') ?? textIn(detection, 'UNIQUE_VULN_ID'),
    firstSeen: textIn(detection, 'FIRST_FOUND') ?? textIn(detection, 'FIRST_FOUND_DATETIME'),
    lastSeen: textIn(detection, 'LAST_FOUND') ?? textIn(detection, 'LAST_FOUND_DATETIME'),
  });
}

/** Kinds of entries in a scan's categories, and the type that the other files call them. */
const SCAN_ENTRIES: Record<string, string> = {
  INFO: 'Ig',
  SERVICE: 'Ig',
  VULN: 'Vuln',
  PRACTICE: 'Practice',
};

async function* readScan(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const parts = {
    marks: ['SCAN/IP', 'INFOS/CAT', 'SERVICES/CAT', 'VULNS/CAT', 'PRACTICES/CAT'],
    elements: [
      'HEADER/KEY',
      'IP/OS',
      'IP/NETBIOS_HOSTNAME',
      ...Object.keys(SCAN_ENTRIES).map((name) => `CAT/${name}`),
    ],
  };
  let scannedAt: string | null = null;
  let ip: Record<string, string> = {};
  let category: Record<string, string> = {};
  let asset: FoundAsset | null = null;
  const host = new Map<string, string>();
  for await (const event of xmlEvents(file, parts, onProgress)) {
    if (event.kind === 'begin' && event.name === 'IP') {
      ip = event.attributes;
      host.clear();
      asset = null;
    } else if (event.kind === 'begin') {
      category = event.attributes;
    } else if (event.kind === 'end') {
      if (event.name === 'IP') {
        asset ??= scannedHost(ip, host);
        if (asset) yield { kind: 'asset', place: 'IP', asset };
      }
    } else if (event.element.name === 'KEY') {
      if (event.element.attributes.value === 'DATE') scannedAt = textOf(event.element.text);
    } else if (event.element.name in SCAN_ENTRIES) {
      asset ??= scannedHost(ip, host);
      yield entryOf(event.element, { asset, category, scannedAt });
    } else {
      host.set(event.element.name, event.element.text.trim());
    }
  }
}

const scannedHost = (ip: Record<string, string>, host: Map<string, string>): FoundAsset | null =>
  qualysAsset({
    address: textOf(ip.value),
    dns: textOf(ip.name),
    netbios: host.get('NETBIOS_HOSTNAME') || null,
    os: host.get('OS') || null,
  });

function entryOf(
  entry: XmlElement,
  {
    asset,
    category,
    scannedAt,
  }: {
    asset: FoundAsset | null;
    category: Record<string, string>;
    scannedAt: string | null;
  },
): ReportItem {
  return qualysItem({
    place: `line ${entry.line}`,
    asset,
    qid: entry.attributes.number ?? '',
    title: textIn(entry, 'TITLE'),
    type: SCAN_ENTRIES[entry.name]!,
    severity: entry.attributes.severity ?? null,
    status: null,
    category: textOf(category.value),
    port: textOf(category.port),
    protocol: textOf(category.protocol),
    cves: childrenOf(childOf(entry, 'CVE_ID_LIST'), 'CVE_ID').map((cve) => textIn(cve, 'ID')),
    cvss: [
      { base: textIn(entry, 'CVSS3_BASE'), temporal: textIn(entry, 'CVSS3_TEMPORAL'), version: '3.0' },
      { base: textIn(entry, 'CVSS_BASE'), temporal: textIn(entry, 'CVSS_TEMPORAL'), version: '2.0' },
    ],
    threat: textIn(entry, 'DIAGNOSIS'),
    impact: textIn(entry, 'CONSEQUENCE'),
    solution: textIn(entry, 'SOLUTION'),
    results: textIn(entry, 'RESULT'),
    vendorReferences: textsIn(entry, 'VENDOR_REFERENCE'),
    instance: null,
    firstSeen: null,
    lastSeen: scannedAt,
  });
}
