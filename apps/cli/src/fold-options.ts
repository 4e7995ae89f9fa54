import type { Command } from 'commander';

/** Options of every command that folds a site's log. */
export interface FoldOptions {
  /** Path of a checkpoint to go on from; unset: from offset 0. */
  from?: string;
  checkChain?: boolean;
  json?: boolean;
}

export function addFoldOptions(command: Command): Command {
  return command
    .option('--from <checkpoint>', 'begin at what `posture checkpoint` has written, not at offset 0')
    .option('--check-chain', 'with --from: read and hash every record before the checkpoint too')
    .option('--json', 'print one JSON document and nothing else');
}
