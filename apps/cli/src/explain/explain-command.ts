import { Command } from 'commander';
import { connect } from '../connect.ts';
import { parseInstant } from '../parse-instant.ts';
import { parseUuid } from '../parse-uuid.ts';
import type { Terminal } from '../terminal.ts';
import { explain } from './explain.ts';

interface ExplainOptions {
  asOf?: number;
  url?: string;
  json?: boolean;
}

const EXAMPLES = `
Prints the finding, its state and the reason for it, then each change: changed fields, reason, cause, and position of the
record in the log.

Examples:
  posture explain 4e8a3c0e-6f0e-5a5e-8a53-0d9b8a3f6c21
  posture explain 4e8a3c0e-6f0e-5a5e-8a53-0d9b8a3f6c21 --as-of 2026-05-31T12:00:00Z
  posture explain 4e8a3c0e-6f0e-5a5e-8a53-0d9b8a3f6c21 --json | jq .history[].reason`;

/** `posture explain FINDING`. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .description(
      'Print the history of a finding: each change with old and new values, reason, and cause in the log',
    )
    .argument('<finding>', 'id of the finding: `id` in GET /api/v3/findings', parseUuid)
    .option('--as-of <instant>', 'state as of this time, ISO 8601 with its zone', parseInstant)
    .option('--url <address>', 'address of the service (POSTURE_URL)')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (finding: string, { asOf, url, json = false }: ExplainOptions) => {
      const { client } = await connect(terminal, { url, json });
      await explain(client, finding, asOf, json, terminal.stdout);
    });
}
