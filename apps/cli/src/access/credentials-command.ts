import { Command, Option } from 'commander';
import type { Schemas } from '#client';
import { serviceSubcommand } from '../service-subcommand.ts';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';
import { type LimitOptions, limitsOf, limitsText, withLimitOptions } from './limits.ts';
import { allOf, oneOf, PAGE } from './listed.ts';
import { type Session, type SessionOptions, withSession } from './session.ts';

type Credential = Schemas['CredentialDto'];

interface CreateOptions extends SessionOptions, LimitOptions {
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
    (options: SessionOptions) =>
      withSession(terminal, options, async ({ client, print }) => {
        const credentials = await allOf(client.items('/api/v3/credentials', PAGE));
        print({ credentials }, tableOf(credentials));
      }),
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
      withSession(terminal, options, async (session) => {
        const body = { username, role, ...limitsOf(options) };
        printPassword(session, 'Created', await session.client.post('/api/v3/credentials', { body }));
      }),
    );
  serviceSubcommand(
    command,
    'rotate',
    'Create and print a new password; revoke the old password and its tokens',
  )
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: SessionOptions) =>
      withSession(terminal, options, async (session) => {
        const { client, access, note } = session;
        const { id, username } = await find(session, idOrName);
        const rotated = await client.post('/api/v3/credentials/{id}/rotate', { params: { path: { id } } });
        printPassword(session, 'New password of', rotated);
        if ('username' in access && access.username === username) {
          note('The command line used this credential: set POSTURE_USERNAME and POSTURE_PASSWORD.');
        }
      }),
    );
  serviceSubcommand(command, 'delete', 'Delete a credential and revoke its tokens')
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: SessionOptions) =>
      withSession(terminal, options, async (session) => {
        const { id, username, role } = await find(session, idOrName);
        const params = { path: { id } };
        const credential = await session.client.delete('/api/v3/credentials/{id}', { params });
        session.print({ credential }, `Deleted ${username} (${role}, id ${id}); its tokens are revoked`);
      }),
    );
  const secondFactor = command.command('second-factor').description('Manage second factors of credentials');
  serviceSubcommand(secondFactor, 'remove', 'Remove the second factor of a user who has lost it')
    .argument('<credential>', 'its user name or id')
    .action((idOrName: string, options: SessionOptions) =>
      withSession(terminal, options, async (session) => {
        const { id } = await find(session, idOrName);
        const params = { path: { id } };
        const credential = await session.client.delete('/api/v3/credentials/{id}/second-factor', { params });
        session.print({ credential }, `Removed the second factor of ${credential.username}`);
      }),
    );
  serviceSubcommand(command, 'break-glass', 'Mark the credential for emergencies, in place of another one')
    .argument('<credential>', 'its user name or id')
    .option('--unset', 'the credential is no longer the one for emergencies')
    .action((idOrName: string, { unset = false, ...options }: SessionOptions & { unset?: boolean }) =>
      withSession(terminal, options, async (session) => {
        const { client, print } = session;
        const { id } = await find(session, idOrName);
        const path = '/api/v3/credentials/{id}/break-glass';
        const params = { path: { id } };
        const credential = await (unset ? client.delete(path, { params }) : client.post(path, { params }));
        print({ credential }, `${credential.username} is ${unset ? 'no' : 'the'} credential for emergencies`);
      }),
    );
  return command;
}

const find = ({ client }: Session, idOrName: string): Promise<Credential> =>
  oneOf(client.items('/api/v3/credentials', PAGE), idOrName, {
    ...{ noun: 'credential', name: 'user name', command: 'posture credentials list' },
    nameOf: ({ username }) => username,
  });

const tableOf = (credentials: readonly Credential[]): string =>
  tableLines([
    ['User name', 'Role', 'Rows', 'Second factor', 'Created', 'Last sign-in', 'Id'],
    ...credentials.map(
      ({ id, username, role, hasSecondFactor, isBreakGlass, createdAt, lastUsedAt, ...limits }) => [
        username,
        isBreakGlass ? `${role} (break-glass)` : role,
        limitsText(limits),
        hasSecondFactor ? 'yes' : 'no',
        createdAt,
        lastUsedAt ?? 'never',
        id,
      ],
    ),
  ]).join('\n');

/** Only the password on stdout, so that it can be redirected to a file or another program without being shown. */
function printPassword(
  { print, note }: Session,
  act: string,
  credential: Schemas['CredentialWithPasswordDto'],
): void {
  const { username, role, id, password } = credential;
  note(`${act} ${username} (${role}, id ${id}); the password is shown only once:`);
  print({ credential }, password);
}
