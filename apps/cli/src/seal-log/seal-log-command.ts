import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { SealLogOptions } from './seal-log.ts';

const EXAMPLES = `
Makes a backup of a sealed log (SEAL_PERSONAL_TEXTS) from a backup of a log that is not sealed. Each record stays at its
partition and offset; the first record of each partition names the old log and the head of its chain. Names of users,
texts about them and names of persons who acted are encrypted with new keys, and so are texts about the machines of
SEAL_MACHINES. Ids of these assets and of their findings change.
The command needs the secret key of the new site: POSTURE_SECRET_KEY, or the file secret-key in DATA_DIR. If it is
interrupted, run the same command again: it continues at the first partition that is not complete.

Examples:
  posture backup /backup/old
  posture seal-log /backup/old /backup/sealed
  posture restore /backup/sealed      into a new site, which then starts with SEAL_PERSONAL_TEXTS=true`;

/** `posture seal-log BACKUP DIR`. */
export function sealLogCommand(terminal: Terminal): Command {
  return new Command('seal-log')
    .description('Encrypt the texts about persons in a backup, for a new site with SEAL_PERSONAL_TEXTS')
    .argument('<backup>', 'directory of a complete `posture backup`; it stays unchanged')
    .argument('<directory>', 'directory for the sealed backup; created if missing')
    .option('--keys <file>', 'file of keys of the backup (keys.posture-backup in the directory)')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (backup: string, directory: string, options: SealLogOptions) => {
      // Uploads start without the reader of archives.
      const { sealLog } = await import('./seal-log.ts');
      await sealLog(backup, directory, options, terminal);
    });
}
