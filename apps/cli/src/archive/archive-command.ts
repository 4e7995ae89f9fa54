import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
The records before the checkpoint are written to segment files, read back and verified, and only then removed from the
log. Interrupted, the same command goes on. Every program and command needs the directory from then on: LOG_ARCHIVE
(DATA_DIR/archive). It is part of the log: without it nothing can be folded from the beginning.

Examples:
  posture checkpoint june.posture-checkpoint
  posture archive /srv/posture/archive --to june.posture-checkpoint`;

/** `posture archive DIR --to CHECKPOINT`. */
export function archiveCommand(terminal: Terminal): Command {
  return new Command('archive')
    .description('Move the records before a checkpoint out of the log, into files that are read like it')
    .argument('<directory>', 'the one of LOG_ARCHIVE; made where it does not exist')
    .requiredOption('--to <checkpoint>', 'what `posture checkpoint` has written')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: { to: string; json?: boolean }) => {
      // Uploads start without the adapters of the log.
      const { archiveLog } = await import('./archive-log.ts');
      await archiveLog(directory, options, terminal);
    });
}
