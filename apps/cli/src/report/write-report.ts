import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeNewFile } from '#libs/log-archive';
import { withLog } from '../as-of/with-log.ts';
import { failure } from '../cli-error.ts';
import { isReaderGone } from '../is-reader-gone.ts';
import { assertNew } from '../log/new-file.ts';
import type { Terminal } from '../terminal.ts';
import { withReport } from './derive-report.ts';
import type { Report } from './report-content.ts';
import { type ReportFormat, reportBytes } from './report-format.ts';
import { REPORT_FORMATS, type ReportFormatName } from './report-formats.ts';

export interface WriteReportOptions {
  /** Epoch milliseconds. */
  asOf: number;
  format: ReportFormatName;
  /** A file of `posture export-log`; left out: the log of the site. */
  log?: string | undefined;
  /** A new file; left out: standard output. */
  output?: string | undefined;
  json: boolean;
}

/**
 * Nothing is written before the log is read and, where it is a file, checked to its end; a file appears under its name
 * when it is complete and on the disk, readable by its owner alone.
 * @throws CliError exit 2 where the file exists, or log or instant are not what they must be; exit 1 where something
 * is out of reach
 */
export async function writeReport(options: WriteReportOptions, terminal: Terminal): Promise<void> {
  const { asOf, format, log: file, output, json } = options;
  if (output !== undefined) await assertNew(output);
  const written = await withLog({ file, title: 'Folding', isSilent: json }, terminal, (log) =>
    withReport(log, asOf, async (report) => {
      if (output === undefined) await writeTo(report, REPORT_FORMATS[format], terminal.stdout as Writable);
      else await writeNewFile(output, (file) => pipeline(reportBytes(report, REPORT_FORMATS[format]), file));
      return report.summary;
    }),
  );
  if (output === undefined) return;
  const { fingerprint } = written;
  terminal.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, file: output, asOf: written.asOf, fingerprint })}\n`
      : `Written     ${output}, as of ${written.asOf}\nFingerprint ${fingerprint}\n`,
  );
}

async function writeTo(report: Report, format: ReportFormat, stdout: Writable): Promise<void> {
  try {
    await pipeline(reportBytes(report, format), stdout, { end: false });
  } catch (error) {
    if (isReaderGone(error)) throw failure('standard output was closed');
    throw error;
  }
}
