import { Command } from 'commander';
import { PARTITIONS_MAX } from '#libs/config';
import { integerBetween } from '../delivery-options.ts';
import type { Terminal } from '../terminal.ts';
import type { RepartitionOptions } from './repartition.ts';

const EXAMPLES = `
Makes a backup of a log with more partitions from a backup: every event at the partition of its entity, in the same
order. The new log has another id; its first records name the old log and the heads of its chains. If the command is
interrupted, run it again: it continues at the first partition that is not complete.

Examples:
  posture backup /backup/old
  posture repartition /backup/old /backup/48 --partitions 48
  LOG_PARTITIONS=48 posture restore /backup/48      into a new database and an empty log`;

/** `posture repartition BACKUP DIR --partitions N`. */
export function repartitionCommand(terminal: Terminal): Command {
  return new Command('repartition')
    .description('Copy a backup to one of a log with more partitions, for a new site')
    .argument('<backup>', 'directory of a complete `posture backup`; it stays unchanged')
    .argument('<directory>', 'directory for the new backup; created if missing')
    .requiredOption(
      '--partitions <number>',
      'number of partitions: a multiple of the present one',
      integerBetween(2, PARTITIONS_MAX),
    )
    .option('--keys <file>', 'file of keys of the backup (keys.posture-backup in the directory)')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (backup: string, directory: string, options: RepartitionOptions) => {
      // Uploads start without the reader of archives.
      const { repartition } = await import('./repartition.ts');
      await repartition(backup, directory, options, terminal);
    });
}
