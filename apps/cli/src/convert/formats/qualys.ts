import type { Format, ReadOptions, ReportItem } from '../format.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { isQualysHeader, readQualysCsv } from './qualys-csv.ts';
import { readQualysXml } from './qualys-xml.ts';

/** What Qualys VM and VMDR export. */
export const qualys: Format = {
  name: 'qualys',
  aliases: ['qualys-csv', 'qualys-xml'],
  title: 'Qualys (CSV report; XML: asset data report, scan, host detections of the API)',
  unit: 'a detection on a host',
  source: 'Qualys',
  recognises: ({ syntax, head }) =>
    syntax === 'xml'
      ? /<(ASSET_DATA_REPORT|HOST_LIST_VM_DETECTION_OUTPUT|SCAN)[\s>]/.test(head)
      : syntax === 'text' && head.split('\n').some((line) => isQualysHeader(columnsOf(line))),
  read: (file: ReportFile, options: ReadOptions): AsyncGenerator<ReportItem> =>
    file.syntax === 'xml' ? readQualysXml(file, options) : readQualysCsv(file, options),
};

const columnsOf = (line: string): string[] =>
  line.split(',').map((name) => name.trim().replace(/^"|"$/g, '').toLowerCase());
