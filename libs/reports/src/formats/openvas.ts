import { severityLevelOf } from '#libs/domain';
import type { Form } from '../form.ts';
import type { Finding, Format, FoundAsset, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf, scoreOf } from '../mapping/cvss.ts';
import { identifyingName } from '../mapping/identifying-name.ts';
import { cvesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { numberOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childOf, childrenOf, textIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';

/**
 * The places of a report, which may be in another: its state, and how many of its results the filter lets through. A
 * delta report usually lacks the results that two reports have in common.
 */
const reportForm = (...reports: string[]) => ({
  lists: reports.map((report) => `${report}/results`),
  partial: reports.flatMap((report) => [`${report}/scan_run_status!=Done`, `${report}@type=delta`]),
  totals: reports.map((report) => `${report}/result_count/filtered`),
  counted: reports.map((report) => `${report}/results/result`),
});

/** The XML report of OpenVAS and Greenbone, bare or in the answer of GMP. */
export const openvas: Format = {
  name: 'openvas',
  aliases: ['greenbone', 'gmp'],
  title: 'OpenVAS and Greenbone (XML)',
  noun: 'an OpenVAS report',
  unit: 'a result',
  source: 'OpenVAS',
  forms: [
    ...['/report@format_id', '/report/report_format', '/report/gmp', '/report/omp'].map(
      (mark): Form => ({
        syntax: 'xml',
        marks: [mark],
        ...reportForm('/report/report', '/report'),
      }),
    ),
    {
      syntax: 'xml',
      marks: ['/get_reports_response'],
      ...reportForm('/get_reports_response/report/report', '/get_reports_response/report'),
    },
    {
      syntax: 'xml',
      marks: ['/get_results_response'],
      lists: ['/get_results_response'],
      totals: ['/get_results_response/result_count/filtered'],
      counted: ['/get_results_response/result'],
    },
  ],
  read,
};

/** The data of a report about its hosts, which may follow the results; some name them only in the results. */
interface Context {
  hosts: Map<string, FoundAsset>;
  /** Addresses of hosts that did not answer, from the beginning or from some result on. */
  dead: Set<string>;
  scanEnd: string | null;
}

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const context = await readContext(file);
  for (const [address, asset] of context.hosts)
    if (!context.dead.has(address)) yield { kind: 'asset', place: 'hosts', asset };
  const parts = { elements: ['results/result', 'get_results_response/result'], marks: [] };
  for await (const event of xmlEvents(file, parts, onProgress)) {
    if (event.kind !== 'element') continue;
    const item = itemOf(event.element, context);
    if (item.kind === 'finding' && context.dead.has(addressOf(event.element)) && file.evidence)
      file.evidence.foundLack = 'a host with results died during the scan';
    yield item;
  }
}

async function readContext(file: ReportFile): Promise<Context> {
  // Its evidence counts the results, which are read in another pass.
  const { evidence: _, ...unwatched } = file;
  const context: Context = { hosts: new Map(), dead: new Set(), scanEnd: null };
  const named = new Map<string, string | null>();
  const parts = {
    elements: ['report/host', 'result/host', 'report/scan_end', 'report/scan_start'],
    marks: [],
  };
  for await (const event of xmlEvents(unwatched, parts)) {
    if (event.kind !== 'element') continue;
    const { element } = event;
    if (element.name === 'host' && childOf(element, 'ip')) addHost(element, context);
    else if (element.name === 'host') {
      const address = element.text.trim();
      named.set(address, named.get(address) ?? textIn(element, 'hostname'));
    } else if (element.name === 'scan_end') context.scanEnd = instantOf(element.text) ?? context.scanEnd;
    else context.scanEnd ??= instantOf(element.text);
  }
  for (const [address, hostname] of named) if (address !== '') addName(address, hostname, context.hosts);
  return context;
}

/** The host's own name takes precedence. */
function addName(address: string, hostname: string | null, hosts: Context['hosts']): void {
  const known = hosts.get(address);
  if (!known) hosts.set(address, hostAt(address, hostname));
  else if (hostname !== null && known.name === address)
    hosts.set(address, { ...known, name: identifyingName(hostname, address)!, hostname });
}

function addHost(host: XmlElement, { hosts, dead }: Context): void {
  const address = textIn(host, 'ip');
  if (address === null) return;
  const details = (name: string) =>
    childrenOf(host, 'detail')
      .filter((detail) => textIn(detail, 'name') === name)
      .map((detail) => textIn(detail, 'value'))
      .filter((value) => value !== null);
  hosts.set(address, hostAt(address, identifyingName(details('hostname')), details));
  if (details('Host dead').some((value) => value !== '0')) dead.add(address);
}

const hostAt = (
  address: string,
  hostname: string | null,
  details: (name: string) => string[] = () => [],
): FoundAsset => ({
  name: identifyingName(hostname, address)!,
  ipAddresses: [address],
  macAddresses: details('MAC'),
  hostname,
  os: details('best_os_txt')[0] ?? details('OS')[0] ?? null,
});

function itemOf(result: XmlElement, context: Context): ReportItem {
  const nvt = childOf(result, 'nvt');
  const name =
    textIn(result, 'name') ?? textIn(nvt, 'name') ?? nvt?.attributes.oid ?? 'Result without a name';
  const place = `line ${result.line}`;
  const threat = textIn(result, 'threat')?.toLowerCase();
  const severity = numberOf(textIn(result, 'severity'));
  if (threat === 'false positive' || severity === -1)
    return { kind: 'unmapped', place, name, reason: 'marked as a false positive in the report' };
  if (threat === 'error' || severity === -3)
    return { kind: 'unmapped', place, name, reason: 'an error of the scan, not a finding' };
  return findingOf(result, { place, name: oneLine(name) }, context);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

function findingOf(
  result: XmlElement,
  { place, name }: { place: string; name: string },
  { hosts, scanEnd }: Context,
): Finding {
  const nvt = childOf(result, 'nvt');
  const tags = tagsOf(textIn(nvt, 'tags'));
  const refs = childrenOf(childOf(nvt, 'refs'), 'ref').map(({ attributes }) => attributes);
  const ids = (type: string) => refs.filter((ref) => ref.type === type).map((ref) => ref.id ?? '');
  const family = textIn(nvt, 'family');
  return {
    kind: 'finding',
    place,
    asset: hosts.get(addressOf(result)) ?? null,
    type: 'va',
    name,
    status: textIn(result, 'delta') === 'gone' ? 'pass' : 'fail',
    severity: severityOf(result, nvt, tags),
    cves: cvesIn(nvt?.attributes.oid, textIn(nvt, 'cve'), ids('cve')),
    standards: { openvas: [nvt?.attributes.oid ?? ''], ...certsOf(refs) },
    description: paragraphs(
      tags.get('summary'),
      tags.get('insight'),
      labelled('Affected', tags.get('affected')),
    ),
    impact: tags.get('impact') ?? null,
    evidence: textIn(result, 'description'),
    remediation: textIn(nvt, 'solution') ?? tags.get('solution') ?? null,
    references: ids('url'),
    ...portOf(textIn(result, 'port')),
    tags: {
      ...(family && { family: [family] }),
      ...qodOf(result),
    },
    lastSeen:
      instantOf(textIn(result, 'creation_time')) ?? instantOf(textIn(result, 'modification_time')) ?? scanEnd,
    controlType: 'detection',
  };
}

const addressOf = (result: XmlElement): string => childOf(result, 'host')?.text.trim() ?? '';

/** `443/tcp`, `general/tcp`, and `https (443/tcp)` of old versions. */
function portOf(port: string | null): Pick<Finding, 'port' | 'protocol'> {
  const match = /(\d{1,5})\/([a-z]+)/i.exec(port ?? '');
  return match ? { port: Number(match[1]), protocol: match[2]! } : {};
}

/** `summary=…|insight=…`: a bar in a text is not escaped, so only the names that are known divide. */
const TAG =
  /(?:^|\|)(cvss_base_vector|summary|insight|affected|impact|solution|vuldetect|solution_type|qod_type|qod)=/g;

function tagsOf(text: string | null): Map<string, string> {
  const found = [...(text ?? '').matchAll(TAG)];
  return new Map(
    found.flatMap((match, i) => {
      const value = text!.slice(match.index + match[0].length, found[i + 1]?.index ?? text!.length).trim();
      return value === '' ? [] : [[match[1]!, value] as const];
    }),
  );
}

/** The vector describes the check: it does not apply to a result whose severity a user has overridden. */
function severityOf(
  result: XmlElement,
  nvt: XmlElement | undefined,
  tags: Map<string, string>,
): FoundSeverity {
  const newest = childrenOf(childOf(nvt, 'severities'), 'severity').find((severity) =>
    textIn(severity, 'value'),
  );
  const scoreIn = (element: XmlElement | undefined, name: string) => scoreOf(textIn(element, name));
  const checkScores = [scoreIn(newest, 'score'), scoreIn(nvt, 'cvss_base')].filter((each) => each !== null);
  const score = scoreIn(result, 'severity') ?? scoreIn(nvt, 'cvss_base');
  const vector = textIn(newest, 'value') ?? tags.get('cvss_base_vector') ?? null;
  const isOverridden = score !== null && checkScores.length > 0 && !checkScores.includes(score);
  return {
    value: score,
    level: score === null ? severityLevel(textIn(result, 'threat')) : severityLevelOf(score),
    ...(!isOverridden && { cvss: cvssOf({ vector, baseScore: checkScores[0] ?? null }) }),
  };
}

/** Advisories of CERTs, by the type of reference. */
function certsOf(refs: Record<string, string>[]): Record<string, string[]> {
  const certs: Record<string, string[]> = {};
  for (const { type = '', id = '' } of refs) {
    if (id !== '' && /cert/i.test(type)) certs[type] = [...(certs[type] ?? []), id];
  }
  return certs;
}

function qodOf(result: XmlElement): Record<string, string[]> {
  const value = textIn(childOf(result, 'qod'), 'value');
  return value === null ? {} : { qualityOfDetection: [value] };
}
