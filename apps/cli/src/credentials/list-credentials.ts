import type { ApiClient } from '../api-client.ts';
import type { Terminal } from '../terminal.ts';
import type { CredentialAnswer } from './credential-answers.ts';
import { readCredentials } from './read-credentials.ts';

/** Prints all credentials; the service holds 10,000 at most. @throws CliError as `readCredentials` */
export async function listCredentials(client: ApiClient, json: boolean, { stdout }: Terminal): Promise<void> {
  const credentials: CredentialAnswer[] = [];
  for await (const credential of readCredentials(client)) credentials.push(credential);
  stdout.write(json ? `${JSON.stringify({ ok: true, credentials })}\n` : tableOf(credentials));
}

function tableOf(credentials: CredentialAnswer[]): string {
  const rows = [
    ['User name', 'Role', 'Created', 'Last sign-in', 'Id'],
    ...credentials.map(({ id, username, role, createdAt, lastUsedAt }) => [
      username,
      role,
      createdAt,
      lastUsedAt ?? 'never',
      id,
    ]),
  ];
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  );
  const lineOf = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${lineOf(row)}\n`).join('');
}
