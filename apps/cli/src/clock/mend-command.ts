import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { MendOptions } from './mend.ts';

const EXAMPLES = `
A clock that was ahead may have retired findings and deleted assets before their time. The command sets the clock of
each partition that is ahead back, folds the partition without the wrong clock, and writes what differs to the log as
events: history, audit trail and later replays show them. Correct the clock of every machine first, and let the service
run. Interrupted, it continues when it is run again.

Examples:
  posture clock mend --dry-run
  posture clock mend --reason "the time server was wrong from May 3 to May 5"`;

/** `posture clock mend`. */
export function addMend(clock: Command, terminal: Terminal): void {
  clock
    .command('mend')
    .description('Set the clock of partitions that is ahead back, and mend what the wrong clock did')
    .option('--reason <text>', 'what was wrong, up to 500 characters; required without --dry-run')
    .option('--dry-run', 'show what would be mended, and append nothing')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (options: MendOptions) => {
      // Uploads start without the adapters of the log.
      const { mend } = await import('./mend.ts');
      await mend(options, terminal);
    });
}
