import { Command } from 'commander';
import { addFoldOptions, type FoldOptions } from '../fold-options.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
The log is folded beside the service, up to the ends that it has at the start, and what it came to is written to the
file; the live tables are neither read nor changed. The file holds every finding: keep it as safe as the database.

Examples:
  posture checkpoint june.posture-checkpoint
  posture checkpoint july.posture-checkpoint --from june.posture-checkpoint     folds what came since June
  posture replay --from july.posture-checkpoint`;

/** `posture checkpoint FILE`. */
export function checkpointCommand(terminal: Terminal): Command {
  return addFoldOptions(new Command('checkpoint'))
    .description('Write what the log folds to into a file that replay and verify can begin from')
    .argument('<file>', 'a new file')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: FoldOptions) => {
      // Uploads start without the adapters of the log.
      const { makeCheckpoint } = await import('./make-checkpoint.ts');
      await makeCheckpoint(file, options, terminal);
    });
}
