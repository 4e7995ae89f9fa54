import { Command } from 'commander';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { RestoreCommandOptions } from './restore-options.ts';

const EXAMPLES = `
All of the backup is checked first. Database (DATABASE_URL, or DATA_DIR) and log (KAFKA_BROKERS, or the one in the
database) must be empty. Interrupted, nothing starts on what is there, and the same command goes on. Put the secret key
of the old site in its place before the first start: it opens the secrets of integrations.

Examples:
  DATA_DIR=/srv/posture posture restore /backup/posture
  posture restore /backup/posture --until 2026-05-31T12:00:00Z     what was known then
  KAFKA_BROKERS=kafka1:9092 posture restore /backup/posture --keep-log   the database alone was lost`;

/** `posture restore DIR`. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .description('Make a site from what `posture backup` has written')
    .argument('<directory>', 'of `posture backup`')
    .option('--until <instant>', 'leave out of the log what came later', parseInstant)
    .option(
      '--keep-log',
      'the log is still there, on Kafka: restore what it does not hold, and fold it to its end',
    )
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: RestoreCommandOptions) => {
      // Uploads start without the adapters of the log.
      const { restore } = await import('./restore.ts');
      await restore(directory, options, terminal);
    });
}
