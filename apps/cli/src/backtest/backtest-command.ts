import { Command, Option } from 'commander';
import { SCORING_MODELS, type ScoringModel } from '#libs/domain';
import { usageError } from '../cli-error.ts';
import { integerBetween } from '../delivery-options.ts';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { BacktestFormat } from './backtest-formats.ts';

interface BacktestCommandOptions {
  at: number;
  days: number;
  windows: number;
  model?: ScoringModel;
  format: BacktestFormat;
  output?: string;
  json?: boolean;
}

const FORMATS: BacktestFormat[] = ['text', 'json', 'html'];
const DAYS_MAX = 365;
const WINDOWS_MAX = 60;

const EXAMPLES = `
Computes what the models said at an instant, by the log and the catalogues of that instant, and compares it with what
came in the days after: CVEs that CISA added to KEV, and detections that were confirmed as true positives. The models are
compared with EPSS, CVSS and KEV alone. A window must have ended. EPSS and KEV must have been in force at its beginning:
to score a time before the first import, import the lists of that time (posture catalogue import --effective-from).
--windows pools consecutive windows, because one window mostly has too few events to judge a ranking.
docs/scoring.md describes the figures, and what they do not prove.

Examples:
  posture backtest --at 2026-05-01T00:00:00Z
  posture backtest --at 2025-06-01T00:00:00Z --windows 12 --format html --output backtest.html
  posture backtest --at 2026-05-01T00:00:00Z --model posture-2 --format json | jq .targets[].events`;

/** `posture backtest --at INSTANT`. */
export function backtestCommand(terminal: Terminal): Command {
  return new Command('backtest')
    .description('Compare the scores of an instant with what came in the days after')
    .requiredOption(
      '--at <instant>',
      'beginning of the window: ISO 8601 with its zone, such as 2026-05-01T00:00:00Z',
      parseInstant,
    )
    .option('--days <number>', 'length of the window in days', integerBetween(1, DAYS_MAX), 30)
    .option('--windows <number>', 'number of consecutive windows', integerBetween(1, WINDOWS_MAX), 1)
    .addOption(new Option('--model <name>', 'only this model; default: all').choices(SCORING_MODELS))
    .addOption(new Option('--format <format>', 'format of the result').choices(FORMATS).default('text'))
    .option('--output <file>', 'a new file; default: standard output')
    .option('--json', 'with --output: print the outcome as one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json = false, ...options }: BacktestCommandOptions) => {
      if (json && options.output === undefined) {
        throw usageError('--json requires --output; for the result as JSON, use --format json');
      }
      // Uploads start without the adapters of the log.
      const { runBacktest } = await import('./run-backtest.ts');
      await runBacktest({ ...options, json }, terminal);
    });
}
