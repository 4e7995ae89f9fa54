import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
The command writes the records before the checkpoint to segment files, reads them back, verifies them, and then removes
them from the log. If it is interrupted, run the same command again to resume. From then on every program and command
needs the directory (LOG_ARCHIVE, default DATA_DIR/archive). The archive is part of the log: a fold from offset 0
fails without it.

Examples:
  posture checkpoint june.posture-checkpoint
  posture archive /srv/posture/archive --to june.posture-checkpoint`;

/** `posture archive DIR --to CHECKPOINT`. */
export function archiveCommand(terminal: Terminal): Command {
  return new Command('archive')
    .description(
      'Move the records before a checkpoint from the log to archive files, which remain readable as part of the log',
    )
    .argument('<directory>', 'the directory of LOG_ARCHIVE; created if missing')
    .requiredOption('--to <checkpoint>', 'file of `posture checkpoint`')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: { to: string; json?: boolean }) => {
      // Uploads start without the adapters of the log.
      const { archiveLog } = await import('./archive-log.ts');
      await archiveLog(directory, options, terminal);
    });
}
