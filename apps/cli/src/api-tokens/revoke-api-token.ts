import type { PostureClient } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { findApiToken } from './find-api-token.ts';

/** @throws CliError exit 2 if there is no such token, exit 1 if the service refuses or is unreachable */
export async function revokeApiToken(
  client: PostureClient,
  idOrName: string,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const { id } = await findApiToken(client, idOrName);
  const apiToken = await client.delete('/api/v3/tokens/{id}', { params: { path: { id } } }).catch(reject);
  stdout.write(
    json ? `${JSON.stringify({ ok: true, apiToken })}\n` : `Revoked ${apiToken.name} (id ${apiToken.id})\n`,
  );
}
