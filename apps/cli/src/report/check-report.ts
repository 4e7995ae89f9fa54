import { createReadStream } from 'node:fs';
import { LogFile } from '#libs/log-archive';
import { LineTooLongError, linesOf } from '#libs/readers';
import { knownFailure } from '../as-of/known-failure.ts';
import { withLog } from '../as-of/with-log.ts';
import { failure, usageError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { withReport } from './derive-report.ts';
import { erasedSince } from './erased-since.ts';
import { historyDifferences } from './history-difference.ts';
import { lineDifference } from './line-difference.ts';
import { type ReadReport, ReportContentError, readReport } from './read-report.ts';
import type { Report } from './report-content.ts';
import { reportBytes } from './report-format.ts';

/**
 * Derives a report again from an exported log, with no service and no database, and compares every byte.
 * @throws CliError exit 1 with the first difference; exit 2 if report or log file are invalid, with the position
 */
export async function checkReport(
  path: string,
  logPath: string,
  { json }: { json: boolean },
  terminal: Terminal,
): Promise<void> {
  const read = await readReport(path).catch((error) => {
    throw reportFailure(path, error);
  });
  await assertSameLog(read, path, logPath);
  const erased = await erasedSince(logPath, read.at).catch((error) => {
    throw knownFailure(logPath, error);
  });
  let erasedValues = 0;
  const choice = { file: logPath, title: 'Deriving', isSilent: json };
  const fingerprint = await withLog(choice, terminal, (log) =>
    withReport(
      log,
      read.at,
      read.writer,
      async (report) => {
        await compare(path, read, report).catch((error) => {
          throw reportFailure(path, error);
        });
        return report.summary.fingerprint;
      },
      (subject) => {
        if (erased.has(subject)) erasedValues += 1;
      },
    ),
  );
  terminal.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, matches: true, asOf: read.head.asOf, fingerprint, erasedValues })}\n`
      : `matches    the log, as of ${read.head.asOf}\n${erasedLine(erasedValues)}Fingerprint ${fingerprint}\n`,
  );
}

/** Only if there are any. */
const erasedLine = (values: number): string =>
  values === 0
    ? ''
    : `Erased     ${values} values erased since; the report contains "sealed" in their place\n`;

/** Only the header is read: the fold of a foreign log is not a difference of the same history. */
async function assertSameLog({ head }: ReadReport, path: string, logPath: string): Promise<void> {
  const { extent } = await LogFile.open(logPath).catch((error) => {
    throw knownFailure(logPath, error);
  });
  if (extent.logId === head.logId) return;
  throw usageError(`${path} is a report of log ${head.logId}, but ${logPath} contains log ${extent.logId}`);
}

/** @throws CliError with the first difference: of the histories, or else of the lines */
async function compare(path: string, read: ReadReport, report: Report): Promise<void> {
  const differences = historyDifferences(read.head, report.summary);
  if (differences.length > 0) {
    throw failure('the report does not match: it describes another history', differences);
  }
  const written = linesOf(createReadStream(path))[Symbol.asyncIterator]();
  const derived = linesOf(reportBytes(report, read.writer));
  let line = 0;
  try {
    for await (const expected of derived) {
      line += 1;
      const { value: actual } = await written.next();
      if (!actual?.equals(expected)) throw differing(line, actual, expected);
    }
    const { value: more } = await written.next();
    if (more) throw differing(line + 1, more, undefined);
  } finally {
    await written.return?.(undefined);
  }

  function differing(number: number, actual: Buffer | undefined, expected: Buffer | undefined) {
    return failure('the report does not match the log', [
      `line ${number}: ${lineDifference(actual, expected, read.format)}`,
    ]);
  }
}

function reportFailure(path: string, error: unknown): unknown {
  if (error instanceof ReportContentError || error instanceof LineTooLongError) {
    return usageError(`${path} ${error.message}`);
  }
  return knownFailure(path, error);
}
