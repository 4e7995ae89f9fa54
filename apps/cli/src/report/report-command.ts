import { Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { ReportFormatName } from './report-formats.ts';

interface ReportOptions {
  asOf?: number;
  format?: ReportFormatName;
  log?: string;
  output?: string;
  check?: string;
  json?: boolean;
}

const FORMATS: ReportFormatName[] = ['html', 'csv', 'json'];

const EXAMPLES = `
A report says what was known at an instant: assets, open and accepted findings with rationale and approver, totals, and
a fingerprint of the log up to then. Every byte of it follows from the log and the instant, so that --check can derive
it again from an exported log, with no service and no database. It says "matches" (exit 0), or the first difference
(exit 1). Of an instant that is still to come a report says what will be if nothing more happens.

Examples:
  posture report --as-of 2026-05-31T12:00:00Z --format html --output report.html
  posture report --as-of 2026-05-31T12:00:00Z --format json --log site.posture-log > report.json
  posture report --check report.html site.posture-log`;

/** `posture report --as-of INSTANT` and `posture report --check REPORT LOGFILE` (design "Replay and audit"). */
export function reportCommand(terminal: Terminal): Command {
  return new Command('report')
    .description(
      'Write what was known at an instant, with a proof of it; or check such a report against a log',
    )
    .argument('[logfile]', 'with --check: a file of `posture export-log`')
    .option('--as-of <instant>', 'ISO 8601 with its zone, such as 2026-05-31T12:00:00Z', parseInstant)
    .addOption(new Option('--format <format>', 'of the report').choices(FORMATS))
    .option('--log <file>', 'read a file of `posture export-log` in place of the site')
    .option('--output <file>', 'a new file; without it: standard output')
    .addOption(
      new Option('--check <report>', 'derive a report again from LOGFILE, and compare').conflicts([
        'asOf',
        'format',
        'log',
        'output',
      ]),
    )
    .option('--json', 'with --check or --output: print one JSON document about it and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (logFile: string | undefined, options: ReportOptions) => {
      const { asOf, format, log, output, check, json = false } = options;
      if (check !== undefined) {
        if (logFile === undefined)
          throw usageError('name the log file: posture report --check REPORT LOGFILE');
        // Uploads start without the adapters of the log.
        const { checkReport } = await import('./check-report.ts');
        return checkReport(check, logFile, { json }, terminal);
      }
      if (logFile !== undefined)
        throw usageError('a log file goes with --check; to report from one: --log FILE');
      if (asOf === undefined || format === undefined) {
        throw usageError(
          'name the instant and the format: posture report --as-of INSTANT --format html|csv|json',
        );
      }
      if (json && output === undefined) throw usageError('--json goes with --check or --output');
      const { writeReport } = await import('./write-report.ts');
      return writeReport({ asOf, format, log, output, json }, terminal);
    });
}
