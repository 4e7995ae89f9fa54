import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { ConfirmOptions } from './confirm.ts';

const EXAMPLES = `
If the clock of a program is more than a day ahead of the last trusted time, the program stores nothing and expires
nothing until you confirm the clock. Compare the clock with another one first: a wrong clock expires findings too
early, and expired findings are retired.

Examples:
  posture clock confirm --reason "the service was stopped for a week"
  DATABASE_URL=postgres://owner@db/posture posture clock confirm --reason "restored from the backup of Monday"`;

/** `posture clock confirm`. */
export function addConfirm(clock: Command, terminal: Terminal): void {
  clock
    .command('confirm')
    .description(
      'Record that the clock is right after a jump of more than a day; programs continue within a second',
    )
    .requiredOption('--reason <text>', 'why the clock is right, up to 500 characters')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ConfirmOptions) => {
      // Uploads start without the database.
      const { confirm } = await import('./confirm.ts');
      await confirm(options, terminal);
    });
}
