import type { PostureClient, Schemas } from '#client';
import { limitsText } from '../credentials/limits.ts';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';
import { readApiTokens } from './read-api-tokens.ts';

/** Prints all API tokens; the service has 1,000 at most. @throws CliError as `readApiTokens` */
export async function listApiTokens(
  client: PostureClient,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const apiTokens: Schemas['ApiTokenDto'][] = [];
  for await (const token of readApiTokens(client)) apiTokens.push(token);
  stdout.write(json ? `${JSON.stringify({ ok: true, apiTokens })}\n` : tableOf(apiTokens));
}

function tableOf(apiTokens: Schemas['ApiTokenDto'][]): string {
  const rows = [
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
  ];
  return tableLines(rows)
    .map((line) => `${line}\n`)
    .join('');
}
