import { Command } from 'commander';
import { Folding } from '../folding.ts';
import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

/** `posture replay` (design "Replay and audit"). */
export function replayCommand(terminal: Terminal): Command {
  return new Command('replay')
    .description('Fold the whole log into new tables while the service goes on, then put them in place')
    .option('--json', 'print one JSON document and nothing else')
    .action((options: { json?: boolean }) => replay(options.json ?? false, terminal));
}

/** @throws CliError exit 1 where something is busy or out of reach, exit 2 where the log cannot be folded */
async function replay(json: boolean, terminal: Terminal): Promise<void> {
  // Loaded here: uploads need none of it.
  const { openSite } = await import('../site.ts');
  const { siteFailure } = await import('../site-failure.ts');
  const { replaySite } = await import('#libs/replay');
  const site = await openSite(terminal.env);
  const folding = new Folding(createProgress(terminal.stderr, json));
  try {
    const { databaseUrl } = site;
    const outcome = await replaySite(site.database, site.log, { databaseUrl, onFolded: folding.reach });
    folding.end();
    const { records, assets, findings } = outcome;
    terminal.stdout.write(
      json
        ? `${JSON.stringify({ ok: true, ...outcome })}\n`
        : `Replayed: ${assets} assets and ${findings} findings from ${records} records of the log\n`,
    );
  } catch (error) {
    folding.end();
    throw siteFailure(error as Error);
  } finally {
    await site.close();
  }
}
