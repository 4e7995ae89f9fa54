import { severityLevelOf } from '#libs/domain';
import type { SeverityLevel } from '../../libs/reports/src/format.ts';
import { knownFormats } from '../../libs/reports/src/formats.ts';
import { openReport } from '../../libs/reports/src/reading/report-file.ts';
import { UnreadableReport } from '../../libs/reports/src/reading/unreadable-report.ts';
import { assertIs, expecting, formatsOf } from '../../libs/reports/src/recognise.ts';

const formats = knownFormats(undefined);

/** A row of corpus.tsv: a file, its format or `refused`, and the counts of its findings. */
export interface CorpusRow {
  path: string;
  format: string;
  /** Findings, mapped or not; those not mapped; different assets, CVE ids and packages. */
  counts: string;
  /** Mapped findings that are critical, high, medium, low and info. */
  levels: string;
  /** Mapped findings that fail, pass and are not assessed. */
  statuses: string;
}

export const rowOf = (line: string): CorpusRow => {
  const [path = '', format = '', counts = '', levels = '', statuses = ''] = line.split('\t');
  return { path, format, counts, levels, statuses };
};

/** The converters' result for a file of the corpus. */
export async function countsOf(folder: string, path: string): Promise<CorpusRow> {
  try {
    return await readRow(folder, path);
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    return rowOf(`${path}\trefused`);
  }
}

async function readRow(folder: string, path: string): Promise<CorpusRow> {
  const opened = await openReport(`${folder}/${path}`);
  const [format, ...others] = formatsOf(opened, formats);
  if (!format) return rowOf(`${path}\trefused`);
  if (others.length > 0) throw new Error(`${path} is of several formats`);
  const file = expecting(opened, format);
  const found = { read: 0, listed: 0, assets: new Set(), cves: new Set(), packages: new Set() };
  const levels: Record<SeverityLevel, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const statuses = { fail: 0, pass: 0, unknown: 0 };
  for await (const item of format.read(file, { asset: null })) {
    if (item.kind !== 'unmapped' && item.asset?.name.trim()) found.assets.add(item.asset.name);
    if (item.kind === 'asset') continue;
    found.read += 1;
    if (item.kind === 'unmapped') {
      found.listed += 1;
      continue;
    }
    for (const cve of item.cves ?? []) found.cves.add(cve);
    for (const name of item.tags?.package ?? []) found.packages.add(name);
    const { level, value } = item.severity;
    levels[level ?? (typeof value === 'number' ? severityLevelOf(value) : 'medium')] += 1;
    statuses[item.status] += 1;
  }
  assertIs(format, file);
  const { read, listed, assets, cves, packages } = found;
  return {
    path,
    format: format.name,
    counts: [read, listed, assets.size, cves.size, packages.size].join(' '),
    levels: Object.values(levels).join(' '),
    statuses: Object.values(statuses).join(' '),
  };
}
