import { Command } from 'commander';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { AsOfOptions } from './show-as-of.ts';

const EXAMPLES = `
One asset a line, as GET /api/v3/assets/ID?asOf= answers it, with its findings, as GET /api/v3/findings?asOf= lists
them: by partition, then name, then number of the finding. The log alone is read, no table, so that this can be held
against what the service answers. Findings that had expired by the instant are Retired. Of an instant that is still to
come: what will be if nothing more happens, so with expiry as of then.

Examples:
  posture as-of 2026-05-31T12:00:00Z > known.jsonl
  posture as-of 2026-05-31T12:00:00Z --asset web01 --retired
  posture as-of 2026-05-31T12:00:00Z --log site.posture-log       an exported log; no service, no database`;

/** `posture as-of INSTANT` (design "Replay and audit"). */
export function asOfCommand(terminal: Terminal): Command {
  return new Command('as-of')
    .description('Print what was known at an instant, from the log alone, as JSON lines')
    .argument('<instant>', 'ISO 8601 with its zone, such as 2026-05-31T12:00:00Z', parseInstant)
    .option('--log <file>', 'read a file of `posture export-log` in place of the site')
    .option(
      '--asset <name-or-id>',
      'one asset, by its id or any name of it; also one that was deleted by then',
    )
    .option('--finding <id>', 'one finding, in whatever state, with its asset')
    .option('--retired', 'with Retired findings')
    .addHelpText('after', EXAMPLES)
    .action(async (at: number, options: AsOfOptions) => {
      // Uploads start without the adapters of the log.
      const { showAsOf } = await import('./show-as-of.ts');
      await showAsOf(at, options, terminal);
    });
}
