import { Command, Option } from 'commander';
import type { Schemas } from '#client';
import { usageError } from '../cli-error.ts';
import { serviceSubcommand } from '../service-subcommand.ts';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';
import { type LimitOptions, limitsOf, limitsText, withLimitOptions } from './limits.ts';
import { allOf, oneOf, PAGE } from './listed.ts';
import { SCOPES, type Scope } from './scopes.ts';
import { type Session, type SessionOptions, withSession } from './session.ts';

type ApiToken = Schemas['ApiTokenDto'];

interface CreateOptions extends SessionOptions, LimitOptions {
  scope: Scope[];
  network?: string[];
  expiresIn?: number;
}

interface RotateOptions extends SessionOptions {
  overlap: number;
  expiresIn?: number;
}

const DAY_MS = 86_400_000;
const DAYS_MAX = 3_650;
const OVERLAP_SECONDS = 3_600;
const OVERLAP_SECONDS_MAX = 604_800;

const EXAMPLES = `
A token has only the scopes that it is created with: docs/access.md lists them. These commands require the scopes
credentials:read and credentials:write, which admins have. A new token is printed only once, alone on standard output.
The commands do not retry if an answer is lost: check the result with list, and create a new token with rotate.
Programs send a token as a bearer token; this command line takes it from POSTURE_TOKEN.

Examples:
  posture api-tokens create scanner-berlin --scope signals:write uploads:read --expires-in 90 > scanner-berlin.token
  posture api-tokens create siem --scope audit:read security-events:read --network 10.0.0.0/8
  posture api-tokens create sales-dashboard --scope assets:read findings:read --department Sales
  posture api-tokens rotate scanner-berlin --overlap 86400      the previous token is valid for another day
  posture api-tokens revoke scanner-berlin`;

/** `posture api-tokens list|create|rotate|revoke`. */
export function apiTokensCommand(terminal: Terminal): Command {
  const command = new Command('api-tokens')
    .description('Manage API tokens of programs: list, create, rotate, revoke')
    .addHelpText('after', EXAMPLES);
  serviceSubcommand(command, 'list', 'List all API tokens by name, without secrets').action(
    (options: SessionOptions) =>
      withSession(terminal, options, async ({ client, print }) => {
        const apiTokens = await allOf(client.items('/api/v3/tokens', PAGE));
        print({ apiTokens }, tableOf(apiTokens));
      }),
  );
  withLimitOptions(serviceSubcommand(command, 'create', 'Create an API token and print it'))
    .argument('<name>', '1 to 100 letters, digits and . _ - @ +')
    .addOption(
      new Option('--scope <scope...>', 'what the token may do').choices(SCOPES).makeOptionMandatory(),
    )
    .option('--network <network...>', 'addresses and networks that may use the token (default: any)')
    .addOption(daysOption('days until the token expires (default: it does not)'))
    .action((name: string, { scope, network, expiresIn, ...options }: CreateOptions) =>
      withSession(terminal, options, async (session) => {
        const body = {
          name,
          scopes: scope,
          ...(network && { networks: network }),
          ...limitsOf(options),
          ...ends(expiresIn),
        };
        printToken(session, 'Created', await session.client.post('/api/v3/tokens', { body }));
      }),
    );
  serviceSubcommand(
    command,
    'rotate',
    'Create and print a new secret; the previous one is valid for the overlap',
  )
    .argument('<token>', 'its name or id')
    .option(
      '--overlap <seconds>',
      'how long the previous secret is valid',
      wholeNumber('--overlap', 0, OVERLAP_SECONDS_MAX),
      OVERLAP_SECONDS,
    )
    .addOption(daysOption('days until the token expires (default: unchanged)'))
    .action((idOrName: string, { overlap, expiresIn, ...options }: RotateOptions) =>
      withSession(terminal, options, async (session) => {
        const body = { overlapSeconds: overlap, ...ends(expiresIn) };
        const { id } = await find(session, idOrName);
        const params = { path: { id } };
        const rotated = await session.client.post('/api/v3/tokens/{id}/rotate', { params, body });
        printToken(session, 'New token of', rotated);
      }),
    );
  serviceSubcommand(command, 'revoke', 'Revoke an API token')
    .argument('<token>', 'its name or id')
    .action((idOrName: string, options: SessionOptions) =>
      withSession(terminal, options, async (session) => {
        const { id } = await find(session, idOrName);
        const params = { path: { id } };
        const apiToken = await session.client.delete('/api/v3/tokens/{id}', { params });
        session.print({ apiToken }, `Revoked ${apiToken.name} (id ${apiToken.id})`);
      }),
    );
  return command;
}

const ends = (days: number | undefined): { expiresAt?: string } =>
  days === undefined ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() };

const daysOption = (description: string) =>
  new Option('--expires-in <days>', description).argParser(wholeNumber('--expires-in', 1, DAYS_MAX));

const wholeNumber = (option: string, min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw usageError(`${option} must be an integer from ${min} to ${max} (got ${text})`);
};

const find = ({ client }: Session, idOrName: string): Promise<ApiToken> =>
  oneOf(client.items('/api/v3/tokens', PAGE), idOrName, {
    ...{ noun: 'API token', name: 'name', command: 'posture api-tokens list' },
    nameOf: ({ name }) => name,
  });

const tableOf = (apiTokens: readonly ApiToken[]): string =>
  tableLines([
    ['Name', 'Scopes', 'Networks', 'Rows', 'Expires', 'Last use', 'Id'],
    ...apiTokens.map(({ id, name, scopes, networks, expiresAt, lastUsedAt, ...limits }) => [
      name,
      scopes.join(','),
      networks.join(',') || 'any',
      limitsText(limits),
      expiresAt ?? 'never',
      lastUsedAt ?? 'never',
      id,
    ]),
  ]).join('\n');

/** Only the token on stdout, so that it can be redirected to a file or another program without being shown. */
function printToken({ print, note }: Session, act: string, apiToken: Schemas['ApiTokenWithSecretDto']): void {
  const { name, scopes, id, previousUntil, token } = apiToken;
  const overlap = previousUntil === null ? '' : `; the previous token is valid until ${previousUntil}`;
  note(`${act} ${name} (${scopes.join(', ')}; id ${id})${overlap}. It is shown only once:`);
  print({ apiToken }, token);
}
