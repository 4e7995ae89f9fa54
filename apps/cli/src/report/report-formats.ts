import { csvReport, csvReport1, csvReport2 } from './csv-report.ts';
import { htmlReport, htmlReport1 } from './html-report.ts';
import { jsonReport, jsonReport1 } from './json-report.ts';
import type { ReportFormat } from './report-format.ts';

/** The formats of a report by name. */
export const REPORT_FORMATS = { html: htmlReport, csv: csvReport, json: jsonReport } satisfies Record<
  string,
  ReportFormat
>;

export type ReportFormatName = keyof typeof REPORT_FORMATS;

/** What earlier versions of the service have written, and `--check` still derives. */
const FORMER: Record<ReportFormatName, ReportFormat[]> = {
  html: [htmlReport1],
  csv: [csvReport2, csvReport1],
  json: [jsonReport1],
};

/** The writer of a format with a number; undefined if this version has none. */
export const reportWriter = (name: ReportFormatName, number: unknown): ReportFormat | undefined =>
  [REPORT_FORMATS[name], ...FORMER[name]].find((format) => format.number === number);
