import { pipeline } from 'node:stream/promises';
import { writeNewFile } from '#libs/log-archive';
import { withLog } from '../as-of/with-log.ts';
import { assertNew } from '../log/new-file.ts';
import { printTo } from '../print-to.ts';
import type { Terminal } from '../terminal.ts';
import { withReport } from './derive-report.ts';
import { reportBytes } from './report-format.ts';
import { REPORT_FORMATS, type ReportFormatName } from './report-formats.ts';

export interface WriteReportOptions {
  /** Epoch milliseconds. */
  asOf: number;
  format: ReportFormatName;
  /** A file of `posture export-log`; omitted: the log of the site. */
  log?: string | undefined;
  /** A new file; omitted: standard output. */
  output?: string | undefined;
  json: boolean;
}

/**
 * Nothing is written before the log is read and, if it is a file, checked to its end; a file appears under its name
 * when it is complete and on the disk, readable only by its owner.
 * @throws CliError exit 2 if the file exists, or log or instant are not what they must be; exit 1 if something
 * is unreachable
 */
export async function writeReport(options: WriteReportOptions, terminal: Terminal): Promise<void> {
  const { asOf, log: file, output, json } = options;
  const format = REPORT_FORMATS[options.format];
  if (output !== undefined) await assertNew(output);
  const written = await withLog({ file, title: 'Folding', isSilent: json }, terminal, (log) =>
    withReport(log, asOf, format, async (report) => {
      if (output === undefined) await printTo(terminal.stdout, reportBytes(report, format));
      else await writeNewFile(output, (file) => pipeline(reportBytes(report, format), file));
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
