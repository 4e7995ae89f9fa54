import { Command, Option } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Exports all records that the log contains when the command starts; later records are not included. To move a site,
stop the service first: the command starts the embedded PostgreSQL for the duration of the export. The file contains
every signal: protect it like the database.

Examples:
  posture export-log site.posture-log
  posture export-log - | ssh other-machine 'cat > site.posture-log'`;

/** `posture export-log FILE`. */
export function exportLogCommand(terminal: Terminal): Command {
  return new Command('export-log')
    .description('Export the whole log to a file for `posture import-log`')
    .argument('<file>', 'a new file, or - for standard output')
    .addOption(new Option('--format <number>', '1: for release 0.1.0').choices(['1', '2']).default('2'))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { format }: { format: '1' | '2' }) => {
      // Uploads start without the adapters of the log.
      const { exportLog } = await import('./export-log.ts');
      await exportLog(file, format === '1' ? 1 : 2, terminal);
    });
}
