import { pipeline } from 'node:stream/promises';
import { isoTime } from '#libs/domain';
import { writeNewFile } from '#libs/log-archive';
import { knownFailure } from '../as-of/known-failure.ts';
import { withBorrowedSite } from '../as-of/with-log.ts';
import { assertNew } from '../log/new-file.ts';
import { printTo } from '../print-to.ts';
import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { BACKTEST_FORMATS, type BacktestFormat } from './backtest-formats.ts';
import { type BacktestOptions, computeBacktest } from './compute-backtest.ts';

export interface RunBacktestOptions extends BacktestOptions {
  format: BacktestFormat;
  /** A new file; omitted: standard output. */
  output?: string;
  /** Only one JSON document is printed. */
  json: boolean;
}

/**
 * Nothing is written before all is computed; a file appears under its name when it is complete and on the disk.
 * @throws CliError exit 2 if the file exists, a window has not ended or there is no catalogue or log at its beginning;
 * exit 1 if something is unreachable
 */
export async function runBacktest(
  { format, output, json, ...options }: RunBacktestOptions,
  terminal: Terminal,
): Promise<void> {
  if (output !== undefined) await assertNew(output);
  const progress = createProgress(terminal.stderr, json);
  const result = await withBorrowedSite(terminal, (site) =>
    computeBacktest(options, site, progress, terminal, Date.now()),
  ).catch((error: unknown) => {
    throw knownFailure('the log', error);
  });
  const text = BACKTEST_FORMATS[format](result);
  const { stdout } = terminal;
  if (output === undefined) return printTo(stdout, [text]);
  await writeNewFile(output, (file) => pipeline([text], file)).catch((error: unknown) => {
    throw knownFailure(output, error);
  });
  const [from, until] = [isoTime(result.windows[0]!.from), isoTime(result.windows.at(-1)!.until)];
  stdout.write(
    json
      ? `${JSON.stringify({ ok: true, file: output, from, until })}\n`
      : `Written ${output}, from ${from} until ${until}\n`,
  );
}
