import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { BackupOptions } from './back-up.ts';

const EXAMPLES = `
A backup contains every record of the log and the tables that are not derived from the log: credentials, encrypted
secrets, catalogues, syncs, idempotency keys. The service can be running: the backup contains everything that the
service acknowledged before the backup started. A later backup into the same directory adds only new records. The
backup does not contain the secret key: store the key elsewhere.

The keys of sealed texts (SEAL_PERSONAL_TEXTS) and sign-ins are in a file of their own, keys.posture-backup, which each
backup replaces: an erased person is then in no backup any more. The latest file opens all earlier backups of the site. If you
keep copies of a directory, keep only the latest copy of this file, or write it to another place with --keys.

Examples:
  posture backup /backup/posture
  posture backup /backup/posture --keys /keys/posture.keys
  posture restore /backup/posture      restores into a new site`;

/** `posture backup DIR`. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description('Back up the site to a directory; a later backup there adds only new records')
    .argument('<directory>', 'directory for the backups of one site; created if missing')
    .option('--keys <file>', 'file of the keys of sealed texts (keys.posture-backup in the directory)')
    .option(
      '--metrics-file <file>',
      'write metrics of the backup to this file, for the textfile collector of node_exporter',
    )
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: BackupOptions) => {
      // Uploads start without the adapters of the log.
      const { backUp } = await import('./back-up.ts');
      await backUp(directory, options, terminal);
    });
}
