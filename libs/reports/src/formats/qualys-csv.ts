import type { ReadOptions, ReportItem } from '../format.ts';
import { techniquesIn } from '../mapping/ids.ts';
import { type CsvRecord, csvRecords } from '../reading/csv-records.ts';
import { isTrue } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { qualysAsset, qualysItem } from './qualys-detection.ts';

/** Reports of VM have an IP column, those of VMDR one of the asset's name; both name the QID and its title. */
export const isQualysHeader = (columns: string[]): boolean =>
  columns.includes('qid') && columns.includes('title') && columns.some((name) => HOST_COLUMNS.includes(name));

const HOST_COLUMNS = ['ip', 'asset name', 'asset ipv4', 'dns'];

export async function* readQualysCsv(
  file: ReportFile,
  { onProgress }: ReadOptions,
): AsyncGenerator<ReportItem> {
  for await (const row of csvRecords(file, isQualysHeader, onProgress)) {
    if (!row.isEmpty) yield itemOf(row);
  }
}

function itemOf(row: CsvRecord): ReportItem {
  const place = `line ${row.line}`;
  const qid = fieldOf(row, 'qid');
  const address = fieldOf(row, 'ip', 'asset ipv4') ?? fieldOf(row, 'asset ipv6');
  const asset = qualysAsset({
    address,
    dns: fieldOf(row, 'dns', 'dns name', 'fqdn'),
    assetName: fieldOf(row, 'asset name'),
    netbios: fieldOf(row, 'netbios'),
    os: fieldOf(row, 'os', 'operating system'),
    tags: assetTagsOf(row),
  });
  if (qid === null) {
    const title = fieldOf(row, 'title');
    const status = fieldOf(row, 'ip status');
    // The table also has hosts without a detection, and lists of hosts that were not scanned or are filtered out.
    const isScanned = /^host scanned/i.test(status ?? 'host scanned') && !/[,-]/.test(address ?? '');
    if (asset && title === null && isScanned) return { kind: 'asset', place, asset };
    const reason = title === null && status !== null ? status : 'has no QID';
    return { kind: 'unmapped', place, name: title ?? address ?? 'row', reason };
  }
  return qualysItem({
    place,
    asset,
    qid,
    title: fieldOf(row, 'title'),
    type: fieldOf(row, 'type', 'type detected'),
    severity: fieldOf(row, 'severity'),
    status: fieldOf(row, 'vuln status', 'status'),
    isIgnored: isTrue(fieldOf(row, 'ignored')),
    isDisabled: isTrue(fieldOf(row, 'disabled')),
    category: fieldOf(row, 'category'),
    port: fieldOf(row, 'port'),
    protocol: fieldOf(row, 'protocol'),
    cves: [fieldOf(row, 'cve id'), fieldOf(row, 'cve')],
    cvss: [
      {
        version: '3.1',
        base: fieldOf(row, 'cvss3.1 base', 'cvssv3.1 base (nvd)'),
        temporal: fieldOf(row, 'cvss3.1 temporal'),
        final: fieldOf(row, 'cvss3.1'),
      },
      {
        version: '3.0',
        base: fieldOf(row, 'cvss3 base'),
        temporal: fieldOf(row, 'cvss3 temporal'),
        final: fieldOf(row, 'cvss3'),
      },
      {
        version: '2.0',
        base: fieldOf(row, 'cvss base', 'cvssv2 base (nvd)'),
        temporal: fieldOf(row, 'cvss temporal'),
        final: fieldOf(row, 'cvss'),
      },
    ],
    techniques: techniquesIn(fieldOf(row, 'mitre att&ck technique id')),
    threat: fieldOf(row, 'threat'),
    impact: fieldOf(row, 'impact'),
    solution: fieldOf(row, 'solution'),
    results: fieldOf(row, 'results'),
    vendorReferences: [fieldOf(row, 'vendor reference')].filter((text) => text !== null),
    instance: fieldOf(row, 'instance'),
    firstSeen: fieldOf(row, 'first detected'),
    lastSeen: fieldOf(row, 'last detected'),
  });
}

function assetTagsOf(row: CsvRecord): Record<string, string[]> {
  const id = fieldOf(row, 'asset id', 'host id', 'qg host id');
  const tags = fieldOf(row, 'associated tags', 'asset tags')
    ?.split(',')
    .map((tag) => tag.trim());
  return { ...(id && { qualysAssetId: [id] }), ...(tags && { qualysTags: tags }) };
}

/** The first column that says something; `'-` is how some exports write nothing. */
function fieldOf(row: CsvRecord, ...columns: string[]): string | null {
  for (const column of columns) {
    const text = row.field(column);
    if (text !== null && text !== "'-" && text !== '-') return text;
  }
  return null;
}
