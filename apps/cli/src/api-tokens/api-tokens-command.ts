import { Command, Option } from 'commander';
import type { PostureClient } from '#client';
import { usageError } from '../cli-error.ts';
import { connect } from '../connect.ts';
import { type LimitOptions, limitsOf, withLimitOptions } from '../credentials/limits.ts';
import { serviceSubcommand } from '../service-subcommand.ts';
import type { Terminal } from '../terminal.ts';
import { createApiToken } from './create-api-token.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { revokeApiToken } from './revoke-api-token.ts';
import { rotateApiToken } from './rotate-api-token.ts';
import { SCOPES, type Scope } from './scopes.ts';

interface ApiTokensOptions {
  url?: string;
  json?: boolean;
}

interface CreateOptions extends ApiTokensOptions, LimitOptions {
  scope: Scope[];
  network?: string[];
  expiresIn?: number;
}

interface RotateOptions extends ApiTokensOptions {
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
    (options: ApiTokensOptions) =>
      connected(options, terminal, (client, json) => listApiTokens(client, json, terminal)),
  );
  withLimitOptions(serviceSubcommand(command, 'create', 'Create an API token and print it'))
    .argument('<name>', '1 to 100 letters, digits and . _ - @ +')
    .addOption(
      new Option('--scope <scope...>', 'what the token may do').choices(SCOPES).makeOptionMandatory(),
    )
    .option('--network <network...>', 'addresses and networks that may use the token (default: any)')
    .addOption(daysOption('days until the token expires (default: it does not)'))
    .action((name: string, { scope, network, expiresIn, ...options }: CreateOptions) =>
      connected(options, terminal, (client, json) => {
        const given = {
          name,
          scopes: scope,
          ...(network && { networks: network }),
          ...limitsOf(options),
          ...ends(expiresIn),
        };
        return createApiToken(client, given, json, terminal);
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
      connected(options, terminal, (client, json) => {
        const given = { overlapSeconds: overlap, ...ends(expiresIn) };
        return rotateApiToken(client, idOrName, given, json, terminal);
      }),
    );
  serviceSubcommand(command, 'revoke', 'Revoke an API token')
    .argument('<token>', 'its name or id')
    .action((idOrName: string, options: ApiTokensOptions) =>
      connected(options, terminal, (client, json) => revokeApiToken(client, idOrName, json, terminal)),
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

async function connected(
  { url, json = false }: ApiTokensOptions,
  terminal: Terminal,
  work: (client: PostureClient, json: boolean) => Promise<void>,
): Promise<void> {
  const { client } = await connect(terminal, { url, json });
  await work(client, json);
}
