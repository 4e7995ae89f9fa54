import { csvReport } from './csv-report.ts';
import { htmlReport } from './html-report.ts';
import { jsonReport } from './json-report.ts';
import type { ReportFormat } from './report-format.ts';

/** The formats of a report by name. */
export const REPORT_FORMATS = { html: htmlReport, csv: csvReport, json: jsonReport } satisfies Record<
  string,
  ReportFormat
>;

export type ReportFormatName = keyof typeof REPORT_FORMATS;
