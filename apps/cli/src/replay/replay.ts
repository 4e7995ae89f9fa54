import { Command } from 'commander';
import { addFoldOptions, type FoldOptions } from '../fold-options.ts';
import type { Terminal } from '../terminal.ts';

/** `posture replay` (design "Replay and audit"). */
export function replayCommand(terminal: Terminal): Command {
  return addFoldOptions(new Command('replay'))
    .description('Fold the log into new tables while the service goes on, then put them in place')
    .action((options: FoldOptions) => replay(options, terminal));
}

/** @throws CliError as `foldOnSite` */
async function replay(options: FoldOptions, terminal: Terminal): Promise<void> {
  // Loaded here: uploads need none of it.
  const { foldOnSite } = await import('../fold-on-site.ts');
  const { replaySite } = await import('#libs/replay');
  const outcome = await foldOnSite(options, terminal, ({ database, log }, fold) =>
    replaySite(database, log, fold),
  );
  const { records, assets, findings } = outcome;
  const behind = options.from === undefined ? '' : ` behind ${options.from}`;
  terminal.stdout.write(
    options.json
      ? `${JSON.stringify({ ok: true, ...outcome })}\n`
      : `Replayed: ${assets} assets and ${findings} findings from ${records} records of the log${behind}\n`,
  );
}
