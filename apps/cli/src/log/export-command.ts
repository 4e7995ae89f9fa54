import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Everything up to the ends that the log has at the start is exported; what is appended meanwhile is not. To move a site,
stop the service first: its embedded PostgreSQL is started for the export alone. The file holds every signal: keep
it as safe as the database.

Examples:
  posture export-log site.posture-log
  posture export-log - | ssh other-machine 'cat > site.posture-log'`;

/** `posture export-log FILE`. */
export function exportLogCommand(terminal: Terminal): Command {
  return new Command('export-log')
    .description('Write the whole log to a file that `posture import-log` reads, on this machine or another')
    .argument('<file>', 'a new file, or - for standard output')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string) => {
      // Uploads start without the adapters of the log.
      const { exportLog } = await import('./export-log.ts');
      await exportLog(file, terminal);
    });
}
