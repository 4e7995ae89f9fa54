import { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import { connect } from '../connect.ts';
import type { Terminal } from '../terminal.ts';
import { previewRetention } from './preview-retention.ts';
import { runRetention } from './run-retention.ts';

interface RetainOptions {
  dryRun?: boolean;
  type?: string;
  days?: string;
  url?: string;
  json?: boolean;
}

const EXAMPLES = `
Removes changes of findings that are older than the setting historyRetentionDays, as the service does once an hour:
they are counted by month, type, change, state and severity. Findings, their last change of before, and scores stay.
This cannot be undone. An interrupted command continues with the next call. Without --dry-run it requires an admin.

Examples:
  posture retain --dry-run                       # what the settings would remove
  posture retain --dry-run --type va --days 365  # what another value would remove
  posture retain`;

/** `posture retain`. */
export function retainCommand(terminal: Terminal): Command {
  return new Command('retain')
    .description('Remove the history of findings that is older than its retention')
    .option('--dry-run', 'count what would be removed, and remove nothing')
    .option('--type <type>', 'with --dry-run: only this finding type')
    .option('--days <number>', 'with --type: instead of the setting')
    .option('--url <address>', 'address of the service (POSTURE_URL)')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async ({ dryRun = false, type, days, url, json = false }: RetainOptions) => {
      if (!dryRun && type !== undefined) throw usageError('--type requires --dry-run');
      if (type === undefined && days !== undefined) throw usageError('--days requires --type');
      if (days !== undefined && !/^\d{1,5}$/.test(days)) {
        throw usageError(`--days must be a whole number (got ${days})`);
      }
      const { client } = await connect(terminal, { url, json });
      if (dryRun) await previewRetention(client, { type, days: days && Number(days) }, json, terminal);
      else await runRetention(client, json, terminal);
    });
}
