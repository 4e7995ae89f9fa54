import type { ApiClient } from '../api-client.ts';
import type { Terminal } from '../terminal.ts';
import type { CredentialAnswer } from './credential-answers.ts';
import { findCredential } from './find-credential.ts';
import { refusedAct } from './refused-act.ts';

/**
 * Its tokens end with it.
 * @throws CliError exit 2 where there is no such credential, exit 1 where the service refuses (the last admin stays) or
 * is out of reach
 */
export async function deleteCredential(
  client: ApiClient,
  idOrName: string,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const { id } = await findCredential(client, idOrName);
  const credential = (await client.act('DELETE', `/api/v3/credentials/${id}`).catch((error: unknown) => {
    throw refusedAct(error);
  })) as CredentialAnswer;
  const { username, role } = credential;
  stdout.write(
    json
      ? `${JSON.stringify({ ok: true, credential })}\n`
      : `Deleted ${username} (${role}, id ${id}); its tokens have ended\n`,
  );
}
