import type { Finding, Format, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf, scoreOf } from '../mapping/cvss.ts';
import { cvesIn, cwesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { lookup } from '../mapping/lookup.ts';
import { paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { type CsvRecord, csvRecords } from '../reading/csv-records.ts';
import { firstOf, numberOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { isUnreachable, tenableHost, UNREACHABLE } from './tenable-host.ts';

/** The CSV of Nessus and Tenable.io has a row for each CVE of a finding, that of Tenable.sc one for each finding. */
const HEADERS = [
  ['plugin id', 'risk', 'host', 'protocol', 'port', 'name', 'plugin output'],
  ['plugin', 'plugin name', 'family', 'severity', 'ip address', 'protocol', 'port', 'repository'],
];

const isTenableHeader = (columns: string[]): boolean =>
  HEADERS.some((header) => header.every((name) => columns.includes(name)));

export const tenableCsv: Format = {
  name: 'tenable-csv',
  aliases: ['nessus-csv'],
  title: 'Nessus, Tenable.io and Tenable.sc (CSV)',
  noun: 'a CSV report of Nessus or Tenable',
  unit: 'a finding of a plugin, with the row of each of its CVEs',
  source: 'Nessus',
  forms: [{ syntax: 'text', isHeader: isTenableHeader }],
  read,
};

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  let key: string | null = null;
  let item: ReportItem | null = null;
  for await (const row of csvRecords(file, isTenableHeader, onProgress)) {
    if (row.isEmpty) continue;
    const next = keyOf(row);
    if (item !== null && next === key) {
      item = withCves(item, row.field('cve'));
    } else {
      if (item) yield item;
      item = itemOf(row);
      key = next;
    }
  }
  if (item) yield item;
}

const withCves = (item: ReportItem, text: string | null): ReportItem =>
  item.kind === 'finding' ? { ...item, cves: cvesIn(item.cves ?? [], text) } : item;

/** What the rows of one finding share: they differ in the CVE, and follow each other. */
const keyOf = (row: CsvRecord): string =>
  JSON.stringify(
    [
      'plugin id',
      'plugin',
      'host',
      'ip address',
      'dns name',
      'protocol',
      'port',
      'plugin output',
      'plugin text',
    ].map(row.field),
  );

/** Of Tenable.io; the reports of Nessus and Tenable.sc have what is there. */
const STATES: Record<string, Finding['status']> = {
  active: 'fail',
  new: 'fail',
  resurfaced: 'fail',
  reopened: 'fail',
  fixed: 'pass',
};

/** Outcomes of an audited setting, in place of the risk. */
const AUDITS: Record<string, Finding['status']> = {
  passed: 'pass',
  failed: 'fail',
  warning: 'unknown',
  error: 'unknown',
};

function itemOf(row: CsvRecord): ReportItem {
  const place = `line ${row.line}`;
  const plugin = fieldOf(row, 'plugin id', 'plugin');
  const name = fieldOf(row, 'name', 'plugin name') ?? (plugin && `Nessus plugin ${plugin}`);
  if (name === null) return { kind: 'unmapped', place, name: 'row', reason: 'names no plugin' };
  const output = fieldOf(row, 'plugin output', 'plugin text');
  if (isUnreachable(plugin, output)) return { kind: 'unmapped', place, name, reason: UNREACHABLE };
  const state = fieldOf(row, 'vulnerability state')?.toLowerCase() ?? 'active';
  const status = lookup(STATES, state);
  if (status === undefined) return { kind: 'unmapped', place, name, reason: 'has a state that is not known' };
  const risk = fieldOf(row, 'risk', 'severity');
  const audit = lookup(AUDITS, risk?.toLowerCase() ?? '');
  const asset = assetOf(row);
  const port = numberOf(row.field('port'));
  const references = [row.field('xref'), row.field('cross references')].map((text) =>
    text?.replaceAll(' #', ':'),
  );
  const family = fieldOf(row, 'plugin family', 'family');
  return {
    kind: 'finding',
    place,
    asset: asset.name === '' ? null : asset,
    type: audit === undefined ? 'va' : 'ca',
    name,
    status: audit ?? status,
    severity: audit === undefined ? severityOf(row, risk) : { level: 'medium' },
    cves: cvesIn(row.field('cve')),
    standards: {
      cwe: cwesIn(references),
      nessus: plugin === null ? [] : [plugin],
      xref: references.flatMap((text) => text?.split(/[;,\n]/) ?? []),
    },
    description: paragraphs(row.field('synopsis'), row.field('description')),
    evidence: output,
    remediation: fieldOf(row, 'solution', 'steps to remediate'),
    references: row.field('see also')?.split(/\s+/) ?? [],
    port: port === 0 ? null : port,
    protocol: row.field('protocol')?.toLowerCase() ?? null,
    tags: { ...(family && { family: [family] }) },
    firstSeen: instantOf(fieldOf(row, 'first found', 'first discovered')),
    lastSeen: instantOf(fieldOf(row, 'last found', 'last observed', 'host end')),
    controlType: 'detection',
    ...(row.field('accept risk comment') && {
      notes: ['its risk was accepted in Tenable: accept the finding in this service too'],
    }),
  };
}

function assetOf(row: CsvRecord) {
  const uuid = fieldOf(row, 'asset uuid', 'agent id');
  return {
    ...tenableHost({
      scanned: fieldOf(row, 'host', 'ip address') ?? '',
      fqdn: fieldOf(row, 'fqdn', 'dns name'),
      address: row.field('ip address'),
      netbios: fieldOf(row, 'netbios', 'netbios name'),
    }),
    macAddresses: row.field('mac address')?.split(/[\s,]+/) ?? [],
    os: row.field('os'),
    tags: { ...(uuid && { tenableAssetId: [uuid] }) },
  };
}

/** The columns of each version of CVSS, the newest first, as each product calls them. */
const CVSS_COLUMNS = [
  {
    version: '4.0',
    prefix: 'CVSS:4.0/',
    base: ['cvss v4.0 base score', 'cvss4 base score', 'cvss v4 base score'],
    temporal: [],
    vector: ['cvss4 vector', 'cvss v4 vector'],
  },
  {
    version: '3.0',
    prefix: 'CVSS:3.0/',
    base: ['cvss v3.0 base score', 'cvss3 base score', 'cvss v3 base score', 'cvssv3'],
    temporal: ['cvss v3.0 temporal score', 'cvss3 temporal score', 'cvss v3 temporal score'],
    vector: ['cvss3 vector', 'cvss v3 vector'],
  },
  {
    version: '2.0',
    prefix: '',
    base: ['cvss v2.0 base score', 'cvss base score', 'cvss v2 base score', 'cvss'],
    temporal: ['cvss v2.0 temporal score', 'cvss temporal score', 'cvss v2 temporal score'],
    vector: ['cvss vector', 'cvss v2 vector'],
  },
];

/** The newest CVSS that the row has. */
function severityOf(row: CsvRecord, risk: string | null): FoundSeverity {
  const level = severityLevel(risk);
  for (const { version, prefix, base, temporal, vector } of CVSS_COLUMNS) {
    const baseScore = scoreOf(fieldOf(row, ...base));
    if (baseScore === null) continue;
    const bare = fieldOf(row, ...vector);
    const whole = bare === null || bare.startsWith('CVSS') ? bare : `${prefix}${bare}`;
    const temporalScore = scoreOf(fieldOf(row, ...temporal));
    return { value: baseScore, level, cvss: cvssOf({ version, vector: whole, baseScore, temporalScore }) };
  }
  return { level };
}

/** The first column that has a text. */
const fieldOf = (row: CsvRecord, ...columns: string[]): string | null =>
  firstOf(...columns.map((column) => row.field(column)));
