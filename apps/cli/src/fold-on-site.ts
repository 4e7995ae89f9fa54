import { CheckpointFile } from '#libs/log-archive';
import type { ContinuesOptions, ShadowOptions } from '#libs/replay';
import { usageError } from './cli-error.ts';
import type { FoldOptions } from './fold-options.ts';
import { Folding } from './folding.ts';
import { undoneOnInterruption } from './interruption.ts';
import { openSite, type Site } from './site.ts';
import { siteFailure } from './site-failure.ts';
import type { Terminal } from './terminal.ts';

/** Options of every fold of a site's log. */
export interface SiteFold extends ContinuesOptions, ShadowOptions {
  /** The checkpoint that it continues from, its header read. */
  from: CheckpointFile | undefined;
  recordsLost: boolean | undefined;
  onFolded: (records: number, of: number) => void;
  /** Called if others use the tables for too long, and it is tried again. */
  onBusy: () => void;
}

interface SiteFoldOptions extends FoldOptions {
  /** Whether the log may end before the position of the live tables, whose later rows are then lost. */
  recordsLost?: boolean;
}

/**
 * Opens a site for the length of a fold of its log, with its progress on stderr.
 * @throws CliError exit 1 if something is busy or unreachable, exit 2 if log or checkpoint cannot be folded
 */
export async function foldOnSite<T>(
  { from, checkChain, json = false, recordsLost }: SiteFoldOptions,
  terminal: Terminal,
  work: (site: Site, fold: SiteFold) => Promise<T>,
): Promise<T> {
  if (checkChain && from === undefined) throw usageError('--check-chain requires --from');
  const [checking, folding] = [
    new Folding(terminal, json, 'Checking'),
    new Folding(terminal, json, 'Folding'),
  ];
  let site: Site | undefined;
  try {
    const file = from === undefined ? undefined : await CheckpointFile.open(from);
    site = await openSite(terminal.env, recordsLost);
    return await work(site, {
      databaseUrl: site.databaseUrl,
      undoable: undoneOnInterruption,
      from: file,
      recordsLost,
      checkChain,
      onChecked: checking.reach,
      onFolded: (records, of) => {
        checking.end();
        folding.reach(records, of);
      },
      onBusy: () => {
        folding.end();
        if (!json) terminal.stderr.write('The tables are in use: waiting\n');
      },
    });
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    checking.end();
    folding.end();
    await site?.close();
  }
}
