import { Command } from 'commander';
import { integerBetween } from '../delivery-options.ts';
import { parseInstant } from '../parse-instant.ts';
import { parseUuid } from '../parse-uuid.ts';
import type { Terminal } from '../terminal.ts';
import type { LogOptions } from './log-options.ts';
import { parseOffsets } from './parse-offsets.ts';

const PARTITION_MAX = 1_023;

const EXAMPLES = `
Prints one record per line, ordered by partition and offset. For a record that cannot be decoded, the line shows the
problem instead of the content. The filters --upload, --from and --to do not exclude such records.

Examples:
  posture log --entity machine:web01                     records of one entity, in log order
  posture log --upload ID --full                         records of one upload, with payloads
  posture log --from 2026-05-31T00:00:00Z | head         the first records since that time
  posture log --partition 3 --offset 120..130            offsets 120 to 129`;

/** `posture log`. */
export function logCommand(terminal: Terminal): Command {
  return new Command('log')
    .description('Print records of the log as JSON lines, filtered by entity, upload, time or position')
    .option('--entity <key>', 'records of one entity, such as machine:web01; reads only its partition')
    .option('--upload <id>', 'records of one upload', parseUuid)
    .option('--from <instant>', 'events at or after this time, ISO 8601 with its zone', parseInstant)
    .option('--to <instant>', 'events before this time', parseInstant)
    .option('--partition <number>', 'records of one partition', integerBetween(0, PARTITION_MAX))
    .option('--offset <range>', 'offsets A..B (B excluded), A.., ..B, or a single offset A', parseOffsets)
    .option('--full', 'include payload and cause')
    .addHelpText('after', EXAMPLES)
    .action(async (options: LogOptions) => {
      // Uploads start without the adapters of the log.
      const { showLog } = await import('./show-log.ts');
      await showLog(options, terminal);
    });
}
