import { Command } from 'commander';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import type { AsOfOptions } from './show-as-of.ts';

const EXAMPLES = `
Prints one asset per line, as GET /api/v3/assets/ID?asOf= returns it, with its findings, as GET /api/v3/findings?asOf=
returns them. The order is partition, name, number of the finding. The command reads only the log and no table, so you
can compare its output with the answers of the service. A finding that expired before the instant is Retired. For an
instant in the future, the output assumes that no further events occur, with expiry evaluated at that time. What needs
the catalogues is not in the log: score is null, and findings have no ssvc, epss or kev. SLA and owner rules are not
applied: a finding has assignee and due date only if a user has chosen them, and an asset has no owner.

Examples:
  posture as-of 2026-05-31T12:00:00Z > known.jsonl
  posture as-of 2026-05-31T12:00:00Z --asset web01 --retired
  posture as-of 2026-05-31T12:00:00Z --log site.posture-log       an exported log; needs no service and no database`;

/** `posture as-of INSTANT`. */
export function asOfCommand(terminal: Terminal): Command {
  return new Command('as-of')
    .description('Print the assets and findings as of an instant, from the log only, as JSON lines')
    .argument('<instant>', 'ISO 8601 with its zone, such as 2026-05-31T12:00:00Z', parseInstant)
    .option('--log <file>', 'read a file of `posture export-log` instead of the site')
    .option(
      '--asset <name-or-id>',
      'one asset, by id or by any of its names; also if it was deleted at that time',
    )
    .option('--finding <id>', 'one finding, in any state, with its asset')
    .option('--retired', 'include Retired findings')
    .addHelpText('after', EXAMPLES)
    .action(async (at: number, options: AsOfOptions) => {
      // Uploads start without the adapters of the log.
      const { showAsOf } = await import('./show-as-of.ts');
      await showAsOf(at, options, terminal);
    });
}
