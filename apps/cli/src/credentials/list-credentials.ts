import type { PostureClient, Schemas } from '#client';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';
import { limitsText } from './limits.ts';
import { readCredentials } from './read-credentials.ts';

/** Prints all credentials; the service has 10,000 at most. @throws CliError as `readCredentials` */
export async function listCredentials(
  client: PostureClient,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const credentials: Schemas['CredentialDto'][] = [];
  for await (const credential of readCredentials(client)) credentials.push(credential);
  stdout.write(json ? `${JSON.stringify({ ok: true, credentials })}\n` : tableOf(credentials));
}

function tableOf(credentials: Schemas['CredentialDto'][]): string {
  const rows = [
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
  ];
  return tableLines(rows)
    .map((line) => `${line}\n`)
    .join('');
}
