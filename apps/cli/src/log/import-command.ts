import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
The file goes to the log of KAFKA_BROKERS, or the one in the database (DATABASE_URL, or DATA_DIR). All of it is
checked first; the log must be empty, or hold a beginning of the file, as an import that was interrupted leaves it:
the same command goes on then. Start the service when it is done.

Examples:
  posture import-log site.posture-log
  KAFKA_BROKERS=kafka1:9092 posture import-log site.posture-log     moves the site of DATA_DIR to Kafka`;

/** `posture import-log FILE`. */
export function importLogCommand(terminal: Terminal): Command {
  return new Command('import-log')
    .description('Bring a log that `posture export-log` has written into the empty log of this site')
    .argument('<file>', 'what `posture export-log` has written')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string) => {
      // Uploads start without the adapters of the log.
      const { bringLog } = await import('./import-log.ts');
      await bringLog(file, terminal);
    });
}
