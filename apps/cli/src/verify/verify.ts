import { Command } from 'commander';
import { failure, withDetail } from '../cli-error.ts';
import { integerBetween } from '../delivery-options.ts';
import { addFoldOptions, type FoldOptions } from '../fold-options.ts';
import type { Terminal } from '../terminal.ts';
import { clockLines } from './clock-lines.ts';
import { differenceLines } from './difference-lines.ts';

interface VerifyOptions extends FoldOptions {
  list: number;
  /** Path of the metrics file for Prometheus; unset: no file is written. */
  metricsFile?: string;
}

const LISTED_MAX = 10_000;

/** `posture verify`. */
export function verifyCommand(terminal: Terminal): Command {
  return addFoldOptions(new Command('verify'))
    .description('Fold the log again and compare every row with the live tables; exit 1 if any row differs')
    .option(
      '--list <rows>',
      'number of differing rows to print; all are counted',
      integerBetween(0, LISTED_MAX),
      100,
    )
    .option(
      '--metrics-file <file>',
      'write metrics of the outcome to this file, for the textfile collector of node_exporter',
    )
    .action((options: VerifyOptions) => verify(options, terminal));
}

/** @throws CliError exit 1 if anything differs; exit 2 if the metrics cannot be written; as `foldOnSite` */
async function verify(options: VerifyOptions, terminal: Terminal): Promise<void> {
  // Loaded here: uploads need none of it.
  const { foldOnSite } = await import('../fold-on-site.ts');
  const { verifySite } = await import('#libs/replay');
  const { rows, differing, differences, uncounted, positions, unfolded, clocks } = await foldOnSite(
    options,
    terminal,
    async ({ database, log, opener }, fold) => {
      const verification = await verifySite(database, log, { ...fold, listedMax: options.list });
      return { ...verification, clocks: await opener.value(verification.clocks) };
    },
  );
  const records = sumOf(positions);
  const clean = `Clean: ${rows} rows match the ${records} records of the log`;
  const differs = failure(
    `${differing} of ${rows} rows differ from the log`,
    differences.flatMap(differenceLines),
  );
  if (options.metricsFile !== undefined) {
    const { writeVerifyMetrics } = await import('./verify-metrics.ts');
    const outcome = { rows, differing, unfolded: sumOf(unfolded), finishedAt: Date.now() };
    await writeVerifyMetrics(options.metricsFile, outcome).catch((error: Error) => {
      throw differing > 0 ? withDetail(differs, error.message) : withDetail(error, clean);
    });
  }
  if (differing > 0) throw differs;
  terminal.stdout.write(
    options.json
      ? `${JSON.stringify({ ok: true, rows, records, positions, unfolded, clocks, uncounted })}\n`
      : `${[clean, ...unfoldedLines(unfolded), ...clockLines(clocks), ...countingLines(uncounted)].join('\n')}\n`,
  );
}

const sumOf = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const unfoldedLines = (unfolded: number[]): string[] =>
  unfolded.flatMap((records, partition) =>
    records > 0 ? [`Behind     partition ${partition}: ${records} records are not folded yet`] : [],
  );

const countingLines = (uncounted: number[]): string[] =>
  uncounted.map(
    (partition) => `Counting   partition ${partition}: its totals are incomplete, and were not compared`,
  );
