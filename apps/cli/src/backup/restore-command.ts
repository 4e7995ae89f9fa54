import { Command } from 'commander';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { RestoreCommandOptions } from './restore-options.ts';

const EXAMPLES = `
The command checks the whole backup first. The database (DATABASE_URL, or DATA_DIR) and the log (KAFKA_BROKERS, or the
log in the database) must be empty. If the command is interrupted, no program starts on the incomplete site: run the
same command again to resume. Before the first start, copy the secret key of the old site to the new one: it decrypts
the secrets of integrations.

The command destroys again the keys of subjects that were erased after the backup. It reads erasures.txt in the
directory, which \`posture backup\` writes, and the file of ERASURE_LIST, which gateways write at each erasure, and prints
how many subjects are in each. If ERASURE_LIST is set and its file does not exist, the command fails. For a copy of an
earlier backup, name the file of the latest one by --erasures.

Examples:
  DATA_DIR=/srv/posture posture restore /backup/posture
  posture restore /backup/posture --until 2026-05-31T12:00:00Z     the state at that time
  KAFKA_BROKERS=kafka1:9092 posture restore /backup/posture --keep-log   only the database was lost`;

/** `posture restore DIR`. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .description('Restore a site from a backup of `posture backup`')
    .argument('<directory>', 'directory of `posture backup`')
    .option('--until <instant>', 'exclude later events', parseInstant)
    .option(
      '--keep-log',
      'keep the existing log on Kafka: restore the other data, and fold the log to its end',
    )
    .option('--keys <file>', 'file of the keys of sealed texts (keys.posture-backup in the directory)')
    .option('--without-keys', 'restore without keys: sealed texts are lost, and show "unavailable"')
    .option('--erasures <file>', 'the latest erasure list, if this backup is not the latest one')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: RestoreCommandOptions) => {
      // Uploads start without the adapters of the log.
      const { restore } = await import('./restore.ts');
      await restore(directory, options, terminal);
    });
}
