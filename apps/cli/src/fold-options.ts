import type { Command } from 'commander';

/** Options of every command that folds a site's log. */
export interface FoldOptions {
  /** Path of a checkpoint to continue from; unset: from offset 0. */
  from?: string;
  checkChain?: boolean;
  json?: boolean;
}

export function addFoldOptions(command: Command): Command {
  return command
    .option('--from <checkpoint>', 'start from a file of `posture checkpoint` instead of offset 0')
    .option('--check-chain', 'requires --from: also read and hash every record before the checkpoint')
    .option('--json', 'print one JSON document only');
}
