import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { MendOptions } from './mend.ts';

const EXAMPLES = `
A clock that was ahead can retire findings and delete assets too early. For each partition whose clock is ahead, the
command sets the clock back, folds the partition without the wrong clock, and writes the differences to the log as
events. History, audit trail and later replays show these events. First correct the clock of every machine, and keep
the service running. If the command is interrupted, run it again to resume.

Examples:
  posture clock mend --dry-run
  posture clock mend --reason "the time server was wrong from May 3 to May 5"`;

/** `posture clock mend`. */
export function addMend(clock: Command, terminal: Terminal): void {
  clock
    .command('mend')
    .description('Set back partition clocks that are ahead, and correct the effects of the wrong clock')
    .option('--reason <text>', 'what was wrong, up to 500 characters; required without --dry-run')
    .option('--dry-run', 'show the corrections without storing them')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (options: MendOptions) => {
      // Uploads start without the adapters of the log.
      const { mend } = await import('./mend.ts');
      await mend(options, terminal);
    });
}
