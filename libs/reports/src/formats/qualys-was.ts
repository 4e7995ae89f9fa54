import type { Format, FoundAsset, ReadOptions, ReportItem, SeverityLevel } from '../format.ts';
import { hostOfTarget } from '../mapping/host-of-target.ts';
import { cvesIn, cwesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { plainText } from '../mapping/plain-text.ts';
import { firstOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childOf, childrenOf, textIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';

/** The scan report of Qualys Web Application Scanning. */
export const qualysWas: Format = {
  name: 'qualys-was',
  aliases: [],
  title: 'Qualys WAS (XML scan report)',
  noun: 'a scan report of Qualys WAS',
  unit: 'a detection at a URL, or gathered information',
  source: 'Qualys WAS',
  forms: [{ syntax: 'xml', marks: ['/WAS_SCAN_REPORT'], lists: ['/WAS_SCAN_REPORT/RESULTS'] }],
  read,
};

const DETECTIONS = [
  'VULNERABILITY_LIST/VULNERABILITY',
  'SENSITIVE_CONTENT_LIST/SENSITIVE_CONTENT',
  'INFORMATION_GATHERED_LIST/INFORMATION_GATHERED',
];

/** What follows the detections. */
interface Appendix {
  /** Descriptions, by QID. */
  glossary: Map<string, XmlElement>;
  webApp: XmlElement | null;
  scannedAt: string | null;
}

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const appendix = await readAppendix(file);
  const asset = assetOf(textIn(appendix.webApp ?? undefined, 'URL'), appendix);
  if (asset) yield { kind: 'asset', place: 'WEBAPP', asset };
  for await (const event of xmlEvents(file, { elements: DETECTIONS, marks: [] }, onProgress)) {
    if (event.kind === 'element') yield detectionOf(event.element, appendix);
  }
}

async function readAppendix(file: ReportFile): Promise<Appendix> {
  const appendix: Appendix = { glossary: new Map(), webApp: null, scannedAt: null };
  const parts = { elements: ['QID_LIST/QID', 'APPENDIX/WEBAPP', 'SCAN_LIST/SCAN'], marks: [] };
  for await (const event of xmlEvents(file, parts)) {
    if (event.kind !== 'element') continue;
    const { element } = event;
    if (element.name === 'QID') appendix.glossary.set(textIn(element, 'QID') ?? '', element);
    else if (element.name === 'WEBAPP') appendix.webApp ??= element;
    else appendix.scannedAt ??= instantOf(textIn(element, 'END_DATE') ?? textIn(element, 'START_DATE'));
  }
  return appendix;
}

/** The host of a URL, else the name of the web application. */
function assetOf(url: string | null, { webApp }: Appendix): FoundAsset | null {
  const host = hostOfTarget(url);
  const webAppName = textIn(webApp ?? undefined, 'NAME');
  const name = host?.name ?? webAppName;
  if (name === null) return null;
  return {
    name,
    ipAddresses: host?.address ? [host.address] : [],
    tags: { ...(webAppName && { webApplication: [webAppName] }) },
  };
}

/** Of vulnerabilities and sensitive content, from 1 to 5. */
const LEVELS: (SeverityLevel | null)[] = [null, 'low', 'low', 'medium', 'high', 'critical'];

function detectionOf(detection: XmlElement, appendix: Appendix): ReportItem {
  const place = `line ${detection.line}`;
  const qid = textIn(detection, 'QID') ?? '';
  const entry = appendix.glossary.get(qid);
  const title = textIn(entry, 'TITLE');
  const name = title ?? `QID ${qid}`;
  if (textIn(detection, 'IGNORED') === 'true')
    return { kind: 'unmapped', place, name, reason: 'marked as ignored in the report' };
  if (title === null && qid === '')
    return { kind: 'unmapped', place, name: 'detection', reason: 'has no QID' };
  const isInformation = detection.name === 'INFORMATION_GATHERED';
  const url = textIn(detection, 'URL');
  const parameter = textIn(detection, 'PARAM');
  const category = textIn(entry, 'CATEGORY');
  const group = textIn(entry, 'GROUP');
  return {
    kind: 'finding',
    place,
    asset: assetOf(firstOf(url, textIn(appendix.webApp ?? undefined, 'URL')), appendix),
    type: 'va',
    name,
    status: textIn(detection, 'STATUS')?.toLowerCase() === 'fixed' ? 'pass' : 'fail',
    severity: isInformation
      ? { value: 0, level: 'info' }
      : { level: LEVELS[Number(textIn(entry, 'SEVERITY') ?? 0)] ?? null },
    cves: cvesIn(title),
    standards: {
      qid: [qid],
      cwe: cwesIn(textIn(entry, 'CWE')),
      owasp: textIn(entry, 'OWASP')?.split(',') ?? [],
      wasc: textIn(entry, 'WASC')?.split(',') ?? [],
    },
    description: plainText(textIn(entry, 'DESCRIPTION')),
    impact: plainText(textIn(entry, 'IMPACT')),
    evidence: paragraphs(
      labelled('URL', url),
      labelled('Parameter', parameter),
      payloadsOf(detection),
      dataOf(detection),
    ),
    remediation: plainText(textIn(entry, 'SOLUTION')),
    detectionId: parameter === null ? url : `${url} ${parameter}`,
    tags: {
      ...(category && { category: [category] }),
      ...(group && { group: [group] }),
      ...(textIn(detection, 'POTENTIAL') === 'true' && { detection: ['potential'] }),
    },
    firstSeen: instantOf(textIn(detection, 'FIRST_TIME_DETECTED')),
    lastSeen:
      instantOf(textIn(detection, 'LAST_TIME_DETECTED') ?? textIn(detection, 'DETECTION_DATE')) ??
      appendix.scannedAt,
    controlType: 'detection',
  };
}

/** What was sent; requests and responses are not included. */
const payloadsOf = (detection: XmlElement): (string | null)[] =>
  childrenOf(childOf(detection, 'PAYLOADS'), 'PAYLOAD').map((payload) =>
    textIn(payload, 'PAYLOAD') === 'N/A' ? null : labelled('Payload', textIn(payload, 'PAYLOAD')),
  );

function dataOf(detection: XmlElement): string | null {
  const data = textIn(detection, 'DATA');
  const isEncoded = childOf(detection, 'DATA')?.attributes.base64 === 'true';
  return data !== null && isEncoded ? Buffer.from(data, 'base64').toString('utf8').trim() : data;
}
