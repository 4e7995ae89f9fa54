import { Command } from 'commander';
import { addFoldOptions, type FoldOptions } from '../fold-options.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
The command folds the log up to the ends that it has when the command starts, and writes the resulting state to the
file. It does not read or change the live tables, and the service can be running. The file contains every finding:
protect it like the database.

Examples:
  posture checkpoint june.posture-checkpoint
  posture checkpoint july.posture-checkpoint --from june.posture-checkpoint     folds the records since June
  posture replay --from july.posture-checkpoint`;

/** `posture checkpoint FILE`. */
export function checkpointCommand(terminal: Terminal): Command {
  return addFoldOptions(new Command('checkpoint'))
    .description('Write the folded state of the log to a file that replay and verify can start from')
    .argument('<file>', 'a new file')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: FoldOptions) => {
      // Uploads start without the adapters of the log.
      const { makeCheckpoint } = await import('./make-checkpoint.ts');
      await makeCheckpoint(file, options, terminal);
    });
}
