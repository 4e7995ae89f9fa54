import { Command, Option } from 'commander';
import type { PostureClient, Schemas } from '#client';
import { connect } from '../connect.ts';
import type { Connection } from '../connection.ts';
import { serviceSubcommand } from '../service-subcommand.ts';
import type { Terminal } from '../terminal.ts';
import { createCredential } from './create-credential.ts';
import { deleteCredential } from './delete-credential.ts';
import { type LimitOptions, limitsOf, withLimitOptions } from './limits.ts';
import { listCredentials } from './list-credentials.ts';
import { removeSecondFactor } from './remove-second-factor.ts';
import { rotateCredential } from './rotate-credential.ts';
import { setBreakGlass } from './set-break-glass.ts';

interface CredentialsOptions {
  url?: string;
  json?: boolean;
}

interface CreateOptions extends CredentialsOptions, LimitOptions {
  role: Schemas['AddCredentialDto']['role'];
}

const EXAMPLES = `
An admin can do everything. An analyst can read, upload, accept and revert. A viewer can read. These commands require
an admin. A new password is printed only once, alone on standard output. The commands do not retry if an answer is
lost: check the result with list, and create a new password with rotate. GET /api/v3/audit shows every change.

Examples:
  posture credentials list
  posture credentials create scanner-berlin --role analyst > scanner-berlin.password
  posture credentials create ana --role analyst --department Sales --location Berlin Kiel
  posture credentials rotate scanner-berlin                 revokes the old password and its tokens
  posture credentials delete scanner-berlin --json
  posture credentials second-factor remove ana              if ana has lost the app and the recovery codes
  posture credentials break-glass emergency                 the one that signs in when LOCAL_SIGN_IN is off`;

/** `posture credentials list|create|rotate|delete|second-factor|break-glass`. */
export function credentialsCommand(terminal: Terminal): Command {
  const command = new Command('credentials')
    .description('Manage API credentials: list, create, rotate, delete, second factors, break-glass')
    .addHelpText('after', EXAMPLES);
  serviceSubcommand(command, 'list', 'List all credentials by user name, without passwords').action(
    (options: CredentialsOptions) =>
      connected(options, terminal, (client, json) => listCredentials(client, json, terminal)),
  );
  withLimitOptions(serviceSubcommand(command, 'create', 'Create a credential and print its password'))
    .argument('<username>', '1 to 100 letters, digits and . _ - @ +')
    .addOption(
      new Option(
        '--role <role>',
        'admin, analyst, viewer, or the name of a role that an admin made',
      ).makeOptionMandatory(),
    )
    .action((username: string, { role, ...options }: CreateOptions) =>
      connected(options, terminal, (client, json) =>
        createCredential(client, { username, role, ...limitsOf(options) }, json, terminal),
      ),
    );
  serviceSubcommand(
    command,
    'rotate',
    'Create and print a new password; revoke the old password and its tokens',
  )
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: CredentialsOptions) =>
      connected(options, terminal, (client, json, { access }) =>
        rotateCredential(client, idOrName, 'username' in access ? access.username : null, json, terminal),
      ),
    );
  serviceSubcommand(command, 'delete', 'Delete a credential and revoke its tokens')
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: CredentialsOptions) =>
      connected(options, terminal, (client, json) => deleteCredential(client, idOrName, json, terminal)),
    );
  const secondFactor = command.command('second-factor').description('Manage second factors of credentials');
  serviceSubcommand(secondFactor, 'remove', 'Remove the second factor of a user who has lost it')
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: CredentialsOptions) =>
      connected(options, terminal, (client, json) => removeSecondFactor(client, idOrName, json, terminal)),
    );
  serviceSubcommand(command, 'break-glass', 'Mark the credential for emergencies, in place of another one')
    .argument('<credential>', 'its user name or id')
    .option('--unset', 'the credential is no longer the one for emergencies')
    .action((idOrName: string, { unset = false, ...options }: CredentialsOptions & { unset?: boolean }) =>
      connected(options, terminal, (client, json) => setBreakGlass(client, idOrName, !unset, json, terminal)),
    );
  return command;
}

async function connected(
  { url, json = false }: CredentialsOptions,
  terminal: Terminal,
  work: (client: PostureClient, json: boolean, connection: Connection) => Promise<void>,
): Promise<void> {
  const { client, connection } = await connect(terminal, { url, json });
  await work(client, json, connection);
}
