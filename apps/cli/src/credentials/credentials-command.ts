import { Command, Option } from 'commander';
import { ApiClient } from '../api-client.ts';
import { type Connection, readConnection } from '../connection.ts';
import type { Terminal } from '../terminal.ts';
import { createCredential } from './create-credential.ts';
import { deleteCredential } from './delete-credential.ts';
import { listCredentials } from './list-credentials.ts';
import { rotateCredential } from './rotate-credential.ts';

interface CredentialsOptions {
  url?: string;
  json?: boolean;
}

interface CreateOptions extends CredentialsOptions {
  role: string;
}

const ROLES = ['admin', 'analyst', 'viewer'];

const EXAMPLES = `
An admin may do everything, an analyst accepts, reverts and uploads, a viewer reads. Only an admin may call this.
A new password is printed once, alone on standard output. Nothing is repeated where an answer is lost: list tells
whether it was done, rotate gives another password. Every act is in GET /api/v3/audit.

Examples:
  posture credentials list
  posture credentials create scanner-berlin --role analyst > scanner-berlin.password
  posture credentials rotate scanner-berlin                 another password; the old one and its tokens end
  posture credentials delete scanner-berlin --json`;

/** `posture credentials list|create|rotate|delete` (D25). */
export function credentialsCommand(terminal: Terminal): Command {
  const command = new Command('credentials')
    .description('The API credentials of the service: list, create, rotate, delete')
    .addHelpText('after', EXAMPLES);
  subcommand(command, 'list', 'All credentials, by user name; never a password').action(
    (options: CredentialsOptions) =>
      connected(options, terminal, (client, json) => listCredentials(client, json, terminal)),
  );
  subcommand(command, 'create', 'Make a credential, and print its password')
    .argument('<username>', '1 to 100 letters, digits and . _ - @ +')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .action((username: string, { role, ...options }: CreateOptions) =>
      connected(options, terminal, (client, json) =>
        createCredential(client, { username, role }, json, terminal),
      ),
    );
  subcommand(command, 'rotate', 'Another password, printed; the old one and its tokens end')
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: CredentialsOptions) =>
      connected(options, terminal, (client, json, { username }) =>
        rotateCredential(client, idOrName, username, json, terminal),
      ),
    );
  subcommand(command, 'delete', 'Delete a credential; its tokens end')
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: CredentialsOptions) =>
      connected(options, terminal, (client, json) => deleteCredential(client, idOrName, json, terminal)),
    );
  return command;
}

const subcommand = (parent: Command, name: string, description: string): Command =>
  parent
    .command(name)
    .description(description)
    .option('--url <address>', 'address of the service (POSTURE_URL)')
    .option('--json', 'print one JSON document and nothing else');

async function connected(
  { url, json = false }: CredentialsOptions,
  terminal: Terminal,
  work: (client: ApiClient, json: boolean, connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await readConnection(terminal.env, url);
  const client = new ApiClient(connection, {
    onWait: (reason) => json || terminal.stderr.write(`${reason}\n`),
  });
  await work(client, json, connection);
}
