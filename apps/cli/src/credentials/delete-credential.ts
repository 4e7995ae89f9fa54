import type { PostureClient } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { findCredential } from './find-credential.ts';

/**
 * Its tokens end with it.
 * @throws CliError exit 2 if there is no such credential, exit 1 if the service refuses (the last admin stays) or
 * is unreachable
 */
export async function deleteCredential(
  client: PostureClient,
  idOrName: string,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const { id } = await findCredential(client, idOrName);
  const credential = await client
    .delete('/api/v3/credentials/{id}', { params: { path: { id } } })
    .catch(reject);
  const { username, role } = credential;
  stdout.write(
    json
      ? `${JSON.stringify({ ok: true, credential })}\n`
      : `Deleted ${username} (${role}, id ${id}); its tokens are revoked\n`,
  );
}
