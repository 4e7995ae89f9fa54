import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { ConfirmOptions } from './confirm.ts';

const EXAMPLES = `
A program whose clock is more than a day ahead of the last time that it trusted stores and sweeps nothing until somebody
says that the clock is right. Compare it with another one first: what expires by a clock that is wrong is retired.

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
