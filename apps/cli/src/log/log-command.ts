import { Command } from 'commander';
import { integerBetween } from '../delivery-options.ts';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { LogOptions } from './log-options.ts';
import { parseOffsets } from './parse-offsets.ts';

const PARTITION_MAX = 1_023;

const EXAMPLES = `
One record a line, by partition and in the order of offsets. A record that cannot be read is shown with its problem
in place of what it says; the filters by upload and time leave it in.

Examples:
  posture log --entity machine:web01                     one entity, in the order of the log
  posture log --upload 4e8a… --full                      what became of an upload's entries, payloads too
  posture log --from 2026-05-31T00:00:00Z | head         the first lines since that instant
  posture log --partition 3 --offset 120..130            offsets 120 to 129`;

/** `posture log`. */
export function logCommand(terminal: Terminal): Command {
  return new Command('log')
    .description('Read the log as JSON lines: by entity, upload, time or position')
    .option('--entity <key>', 'records of one entity, such as machine:web01; only its partition is read')
    .option('--upload <id>', 'records of one upload')
    .option('--from <instant>', 'events from this time on, ISO 8601 with its zone', parseInstant)
    .option('--to <instant>', 'events before this time', parseInstant)
    .option('--partition <number>', 'records of one partition', integerBetween(0, PARTITION_MAX))
    .option('--offset <range>', 'offsets A..B without B, A.., ..B, or A alone', parseOffsets)
    .option('--full', 'with payload and cause')
    .addHelpText('after', EXAMPLES)
    .action(async (options: LogOptions) => {
      // Uploads start without the adapters of the log.
      const { showLog } = await import('./show-log.ts');
      await showLog(options, terminal);
    });
}
