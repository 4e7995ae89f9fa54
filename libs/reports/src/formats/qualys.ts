import type { Format, ReadOptions, ReportItem } from '../format.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { isQualysHeader, readQualysCsv } from './qualys-csv.ts';
import { QUALYS_XML_FORMS, readQualysXml } from './qualys-xml.ts';

/** What Qualys VM and VMDR export. */
export const qualys: Format = {
  name: 'qualys',
  aliases: ['qualys-csv', 'qualys-xml'],
  title: 'Qualys (CSV report; XML: asset data report, scan, host detections of the API)',
  noun: 'a Qualys report of VM or VMDR',
  unit: 'a detection on a host',
  source: 'Qualys',
  forms: [...QUALYS_XML_FORMS, { syntax: 'text', isHeader: isQualysHeader }],
  read: (file: ReportFile, options: ReadOptions): AsyncGenerator<ReportItem> =>
    file.syntax === 'xml' ? readQualysXml(file, options) : readQualysCsv(file, options),
};
