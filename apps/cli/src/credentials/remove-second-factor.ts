import type { PostureClient } from '#client';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { findCredential } from './find-credential.ts';

/**
 * @throws CliError exit 2 if there is no such credential, exit 1 if it has no second factor, the service refuses or is
 * unreachable
 */
export async function removeSecondFactor(
  client: PostureClient,
  idOrName: string,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const { id } = await findCredential(client, idOrName);
  const credential = await client
    .delete('/api/v3/credentials/{id}/second-factor', { params: { path: { id } } })
    .catch(reject);
  stdout.write(
    json
      ? `${JSON.stringify({ ok: true, credential })}\n`
      : `Removed the second factor of ${credential.username}\n`,
  );
}
