import { canonicalAddress } from '#libs/domain';
import type { Format, ReportItem } from '../format.ts';
import { csvRecords } from '../reading/csv-records.ts';
import { jsonElements, placeOf } from '../reading/json-elements.ts';
import { firstOf, isTrue, listOf, numberOf, objectOf, textOf, textsOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { type DojoFinding, dojoFindings, isOnHost } from './defectdojo-finding.ts';
import { isDojoHeader, MEMBERS } from './defectdojo-members.ts';

/** What DefectDojo calls "Generic Findings Import": many tools write it. */
export const defectdojo: Format = {
  name: 'defectdojo',
  aliases: ['defectdojo-json', 'defectdojo-csv', 'generic'],
  title: 'DefectDojo generic findings (JSON and CSV)',
  noun: 'a DefectDojo report of generic findings',
  unit: 'an endpoint of a finding, or a finding without endpoints',
  source: 'DefectDojo',
  forms: [
    {
      syntax: 'json',
      marks: ['$.findings[].title', '$.findings[].severity'],
      lists: ['$.findings[]'],
      members: { at: '$.findings[]', names: MEMBERS },
    },
    { syntax: 'text', isHeader: isDojoHeader },
  ],
  read: (file, { onProgress }) =>
    itemsOf(file.syntax === 'json' ? readJson(file, onProgress) : readCsv(file, onProgress)),
};

type OnProgress = ((bytes: number) => void) | undefined;

/**
 * The asset is assessed by a report without findings, and by one with a finding that is on no host, also if that is not
 * mapped. A report whose findings are all on hosts assesses these.
 */
async function* itemsOf(findings: AsyncIterable<DojoFinding>): AsyncGenerator<ReportItem> {
  let isOnHosts = false;
  let isSeen = false;
  for await (const finding of findings) {
    if (finding.endpoints.length > 0 && finding.endpoints.every(isOnHost)) isOnHosts = true;
    else if (!isSeen) {
      isSeen = true;
      yield GIVEN_ASSET;
    }
    yield* dojoFindings(finding);
  }
  if (!isSeen && !isOnHosts) yield GIVEN_ASSET;
}

const GIVEN_ASSET: ReportItem = { kind: 'asset', place: 'findings', asset: null };

async function* readJson(file: ReportFile, onProgress: OnProgress): AsyncGenerator<DojoFinding> {
  const paths = ['$.findings.*', '$.name', '$.type'];
  let tool: string | null = null;
  for await (const { path, value } of jsonElements(file, paths, onProgress)) {
    if (path.length === 1) {
      tool ??= textOf(value);
      continue;
    }
    const finding = objectOf(value);
    const text = (...names: string[]) => firstOf(...names.map((name) => textOf(finding[name])));
    yield {
      place: placeOf(path),
      tool,
      text,
      ids: [
        ...listOf(finding.vulnerability_ids).map((id) => textOf(id) ?? textOf(objectOf(id).vulnerability_id)),
        text('cve'),
      ],
      cwes: [...listOf(finding.cwe), ...listOf(finding.cwes)].map(
        (each) => numberOf(each) ?? numberOf(objectOf(each).cwe),
      ),
      flag: (name) => (finding[name] === undefined || finding[name] === null ? null : isTrue(finding[name])),
      endpoints: [...listOf(finding.endpoints), ...listOf(finding.locations)].map(endpointOf),
      tags: textsOf(finding.tags),
    };
  }
}

/** A URL, or its parts. */
function endpointOf(value: unknown): string | null {
  const parts = objectOf(value);
  const host = firstOf(textOf(parts.host), textOf(parts.url));
  if (host === null) return textOf(value);
  const part = (mark: string, name: string) => {
    const text = textOf(parts[name]);
    return text === null ? '' : `${mark}${text.startsWith(mark) ? text.slice(mark.length) : text}`;
  };
  const scheme = textOf(parts.protocol);
  const isBareIpv6 = host.includes(':') && canonicalAddress(host) !== null;
  return [
    scheme === null ? '' : `${scheme}://`,
    isBareIpv6 ? `[${host}]` : host,
    part(':', 'port'),
    part('/', 'path'),
    part('?', 'query'),
    part('#', 'fragment'),
  ].join('');
}

/** Names of the columns in addition to those of the JSON, in lower case. */
const COLUMNS: Record<string, string[]> = {
  cve: ['cve', 'vulnerability id', 'vulnerability_id', 'cveid'],
  cwe: ['cweid', 'cwe'],
  cwes: ['cweids', 'cwes'],
  is_mitigated: ['ismitigated', 'is_mitigated'],
  false_p: ['falsepositive', 'false_p'],
  component_name: ['component_name', 'componentname'],
  component_version: ['component_version', 'componentversion'],
};

async function* readCsv(file: ReportFile, onProgress: OnProgress): AsyncGenerator<DojoFinding> {
  for await (const row of csvRecords(file, isDojoHeader, onProgress)) {
    if (row.isEmpty) continue;
    const field = (name: string) => firstOf(...(COLUMNS[name] ?? [name]).map((column) => row.field(column)));
    const text = (...names: string[]) => firstOf(...names.map(field));
    yield {
      place: `line ${row.line}`,
      tool: null,
      text,
      ids: [field('cve')],
      cwes: [field('cwe'), ...(field('cwes')?.split(/[\s,]+/) ?? [])].map((each) =>
        numberOf(each?.replace(/^CWE-/i, '')),
      ),
      flag: (name) => (field(name) === null ? null : isTrue(field(name))),
      endpoints: [field('url'), ...(field('endpoints')?.split(/[\s,]+/) ?? [])].filter(
        (each) => each !== null,
      ),
      tags: field('tags')?.split(',') ?? [],
    };
  }
}
