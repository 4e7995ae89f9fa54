import { Command } from 'commander';
import { ApiClient } from '../api-client.ts';
import { usageError } from '../cli-error.ts';
import { readConnection } from '../connection.ts';
import { parseInstant } from '../parse-instant.ts';
import type { Terminal } from '../terminal.ts';
import { explain } from './explain.ts';

export interface ExplainOptions {
  asOf?: number;
  url?: string;
  json?: boolean;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const EXAMPLES = `
What the finding is, its state and why, then each change with what it moved, why, and its cause down to the record
of the log.

Examples:
  posture explain 4e8a3c0e-6f0e-5a5e-8a53-0d9b8a3f6c21
  posture explain 4e8a3c0e-6f0e-5a5e-8a53-0d9b8a3f6c21 --as-of 2026-05-31T12:00:00Z
  posture explain 4e8a3c0e-6f0e-5a5e-8a53-0d9b8a3f6c21 --json | jq .history[].reason`;

/** `posture explain FINDING`. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .description(
      'Tell the life of a finding: every change with before and after, why, and its cause in the log',
    )
    .argument('<finding>', 'id of the finding')
    .option('--as-of <instant>', 'as it was known then, ISO 8601 with its zone', parseInstant)
    .option('--url <address>', 'address of the service (POSTURE_URL)')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (finding: string, { asOf, url, json = false }: ExplainOptions) => {
      if (!UUID.test(finding)) {
        throw usageError('the id of a finding is a UUID, as `id` in GET /api/v3/findings tells it');
      }
      const client = new ApiClient(await readConnection(terminal.env, url), {
        onWait: (reason) => json || terminal.stderr.write(`${reason}\n`),
      });
      await explain(client, finding.toLowerCase(), asOf, json, terminal.stdout);
    });
}
