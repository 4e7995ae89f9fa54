import { Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import { connect } from '../connect.ts';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { ReportFormatName } from './report-formats.ts';

interface ReportOptions {
  asOf?: number;
  format?: ReportFormatName;
  log?: string;
  output?: string;
  check?: string;
  url?: string;
  json?: boolean;
}

const FORMATS: ReportFormatName[] = ['html', 'csv', 'json'];

const EXAMPLES = `
A report contains the state at an instant: assets, open and accepted findings with rationale and approver, totals, and a
fingerprint of the log up to that instant. The log and the instant determine every byte. --check therefore derives the
report again from an exported log, without a service or a database, and prints "matches" (exit 0) or the first
difference (exit 1). For an instant in the future, the report assumes that no further events occur.

--check also takes a board or technical report of the service, as JSON or HTML: it requests the report again, as of its
time. It needs no log file, but a caller who may read the report.

Examples:
  posture report --as-of 2026-05-31T12:00:00Z --format html --output report.html
  posture report --as-of 2026-05-31T12:00:00Z --format json --log site.posture-log > report.json
  posture report --check report.html site.posture-log
  posture report --check board-report.html`;

/** `posture report --as-of INSTANT` and `posture report --check REPORT [LOGFILE]`. */
export function reportCommand(terminal: Terminal): Command {
  return new Command('report')
    .description('Write a verifiable report of the state at an instant, or check a report against a log')
    .argument('[logfile]', 'with --check of a report of this command: a file of `posture export-log`')
    .option('--as-of <instant>', 'ISO 8601 with its zone, such as 2026-05-31T12:00:00Z', parseInstant)
    .addOption(new Option('--format <format>', 'format of the report').choices(FORMATS))
    .option('--log <file>', 'read a file of `posture export-log` instead of the site; also with --check')
    .option('--output <file>', 'a new file; default: standard output')
    .addOption(
      new Option('--check <report>', 'derive a report again from LOGFILE, and compare').conflicts([
        'asOf',
        'format',
        'output',
      ]),
    )
    .option('--url <address>', 'with --check: address of the service (POSTURE_URL)')
    .option('--json', 'with --check or --output: print the outcome as one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (logFile: string | undefined, options: ReportOptions) => {
      const { asOf, format, log, output, check, url, json = false } = options;
      if (check !== undefined) {
        if (logFile !== undefined && log !== undefined) {
          throw usageError('name the log file once, as LOGFILE or by --log FILE');
        }
        return checked(check, { logFile: logFile ?? log, url, json }, terminal);
      }
      if (url !== undefined) throw usageError('--url requires --check');
      if (logFile !== undefined)
        throw usageError(
          'a log file argument requires --check; to write a report from a log file, use --log FILE',
        );
      if (asOf === undefined || format === undefined) {
        throw usageError(
          'name the instant and the format: posture report --as-of INSTANT --format html|csv|json',
        );
      }
      if (json && output === undefined) throw usageError('--json requires --check or --output');
      const { writeReport } = await import('./write-report.ts');
      return writeReport({ asOf, format, log, output, json }, terminal);
    });
}

async function checked(
  report: string,
  { logFile, url, json }: { logFile: string | undefined; url: string | undefined; json: boolean },
  terminal: Terminal,
): Promise<void> {
  const { readServiceReport } = await import('./service-report.ts');
  const ofService = await readServiceReport(report).catch(async (error: unknown) => {
    // Uploads start without the adapters of the log.
    const { knownFailure } = await import('../as-of/known-failure.ts');
    throw knownFailure(report, error);
  });
  if (ofService) {
    if (logFile !== undefined) {
      throw usageError(`${report} is a report of the service, which is checked without a log file`);
    }
    const { checkServiceReport } = await import('./check-service-report.ts');
    const { client } = await connect(terminal, { url, json });
    return checkServiceReport(ofService, client, { json }, terminal);
  }
  if (logFile === undefined) throw usageError('name the log file: posture report --check REPORT LOGFILE');
  const { checkReport } = await import('./check-report.ts');
  return checkReport(report, logFile, { json }, terminal);
}
