import { Command } from 'commander';
import { addFoldOptions, type FoldOptions } from '../fold-options.ts';
import type { Terminal } from '../terminal.ts';

interface ReplayOptions extends FoldOptions {
  recordsLost?: boolean;
}

/** `posture replay`. */
export function replayCommand(terminal: Terminal): Command {
  return addFoldOptions(new Command('replay'))
    .description('Rebuild the tables from the log while the service runs, then replace the live tables')
    .option(
      '--records-lost',
      'the log has lost records: fold the remaining ones, even if it ends before the position of the tables; then the next syncs read everything, and a repeated upload is appended again',
    )
    .action((options: ReplayOptions) => replay(options, terminal));
}

/** @throws CliError as `foldOnSite` */
async function replay(options: ReplayOptions, terminal: Terminal): Promise<void> {
  // Loaded here: uploads need none of it.
  const { foldOnSite } = await import('../fold-on-site.ts');
  const { replaySite } = await import('#libs/replay');
  const outcome = await foldOnSite(options, terminal, ({ database, log }, fold) =>
    replaySite(database, log, fold),
  );
  const { records, assets, findings } = outcome;
  const behind = options.from === undefined ? '' : ` after ${options.from}`;
  terminal.stdout.write(
    options.json
      ? `${JSON.stringify({ ok: true, ...outcome })}\n`
      : `Replayed: ${assets} assets and ${findings} findings from ${records} records of the log${behind}\n`,
  );
}
