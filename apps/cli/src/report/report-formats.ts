import { csvReport, csvReport1 } from './csv-report.ts';
import { htmlReport } from './html-report.ts';
import { jsonReport } from './json-report.ts';
import type { ReportFormat } from './report-format.ts';

/** The formats of a report by name. */
export const REPORT_FORMATS = { html: htmlReport, csv: csvReport, json: jsonReport } satisfies Record<
  string,
  ReportFormat
>;

export type ReportFormatName = keyof typeof REPORT_FORMATS;

/** What earlier versions of the service have written, and `--check` still derives. */
const FORMER: Partial<Record<ReportFormatName, ReportFormat[]>> = { csv: [csvReport1] };

/** The writer of a format with a number; undefined if this version has none. */
export const reportWriter = (name: ReportFormatName, number: unknown): ReportFormat | undefined =>
  [REPORT_FORMATS[name], ...(FORMER[name] ?? [])].find((format) => format.number === number);
