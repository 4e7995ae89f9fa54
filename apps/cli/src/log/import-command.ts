import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
The target is the log of KAFKA_BROKERS or, if unset, the log in the database (DATABASE_URL, or DATA_DIR). The command
checks the whole file first. The log must be empty or contain the first records of the file, as an interrupted import
leaves it: run the same command again to resume. Until then, no program starts on the incomplete log. Start the service
after the import.

Examples:
  posture import-log site.posture-log
  KAFKA_BROKERS=kafka1:9092 posture import-log site.posture-log     moves the log of DATA_DIR to Kafka`;

/** `posture import-log FILE`. */
export function importLogCommand(terminal: Terminal): Command {
  return new Command('import-log')
    .description('Import a file of `posture export-log` into the empty log of this site')
    .argument('<file>', 'file of `posture export-log`')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string) => {
      // Uploads start without the adapters of the log.
      const { importLogFile } = await import('./import-log.ts');
      await importLogFile(file, terminal);
    });
}
