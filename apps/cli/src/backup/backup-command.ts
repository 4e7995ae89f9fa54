import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { BackupOptions } from './back-up.ts';

const EXAMPLES = `
The directory gets every record of the log, and the tables that no log holds: credentials, sealed secrets, catalogues,
syncs, idempotency keys. The service may be in use: everything that it has acknowledged before is in the backup. Into
the same directory again, the next backup writes what came since. The secret key is not in it: keep that elsewhere.

Examples:
  posture backup /backup/posture
  posture restore /backup/posture      into a new site`;

/** `posture backup DIR`. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description('Copy the site into a directory, or what came since the last backup there')
    .argument('<directory>', 'of one site; made where it does not exist')
    .option(
      '--metrics-file <file>',
      'tell Prometheus of the backup, by the textfile collector of node_exporter',
    )
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: BackupOptions) => {
      // Uploads start without the adapters of the log.
      const { backUp } = await import('./back-up.ts');
      await backUp(directory, options, terminal);
    });
}
