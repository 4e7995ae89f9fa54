import { Command } from 'commander';
import { failure } from '../cli-error.ts';
import { integerBetween } from '../delivery-options.ts';
import { Folding } from '../folding.ts';
import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { differenceLines } from './difference-lines.ts';

export interface VerifyOptions {
  list: number;
  json?: boolean;
}

const LISTED_MAX = 10_000;

/** `posture verify` (design "Replay and audit"). */
export function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('Fold the log again and compare every row with the live tables; exit 1 where any differs')
    .option('--list <rows>', 'differing rows to print, all are counted', integerBetween(0, LISTED_MAX), 100)
    .option('--json', 'print one JSON document and nothing else')
    .action((options: VerifyOptions) => verify(options, terminal));
}

/** @throws CliError exit 1 where anything differs or is out of reach, exit 2 where the log cannot be folded */
async function verify({ list, json = false }: VerifyOptions, terminal: Terminal): Promise<void> {
  // Loaded here: uploads need none of it.
  const { openSite } = await import('../site.ts');
  const { siteFailure } = await import('../site-failure.ts');
  const { verifySite } = await import('#libs/replay');
  const site = await openSite(terminal.env);
  const folding = new Folding(createProgress(terminal.stderr, json));
  try {
    const { rows, differing, differences, positions } = await verifySite(site.database, site.log, {
      databaseUrl: site.databaseUrl,
      listedMax: list,
      onFolded: folding.reach,
    });
    folding.end();
    if (differing > 0) {
      throw failure(
        `${differing} of ${rows} rows differ from what the log says`,
        differences.flatMap(differenceLines),
      );
    }
    const records = positions.reduce((sum, position) => sum + position, 0);
    terminal.stdout.write(
      json
        ? `${JSON.stringify({ ok: true, rows, records, positions })}\n`
        : `Clean: ${rows} rows are what the ${records} records of the log say\n`,
    );
  } catch (error) {
    folding.end();
    throw siteFailure(error as Error);
  } finally {
    await site.close();
  }
}
