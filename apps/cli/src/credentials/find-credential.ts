import type { PostureClient, Schemas } from '#client';
import { usageError } from '../cli-error.ts';
import { readCredentials } from './read-credentials.ts';

/**
 * The credential of an id or a user name.
 * @throws CliError exit 2 if there is none, or the id of one is the user name of another: a guess could end the
 * tokens of the wrong one; exit 1 as `readCredentials`
 */
export async function findCredential(
  client: PostureClient,
  idOrName: string,
): Promise<Schemas['CredentialDto']> {
  const found: Schemas['CredentialDto'][] = [];
  for await (const credential of readCredentials(client)) {
    const { id, username } = credential;
    if (id === idOrName.toLowerCase() || username === idOrName) found.push(credential);
  }
  const [one, other] = found;
  if (!one)
    throw usageError(`no credential with user name or id ${idOrName}`, [
      'posture credentials list shows all credentials',
    ]);
  if (other) {
    throw usageError(
      `${idOrName} is the id of one credential and the user name of another`,
      found.map(({ id, username }) => `${username}, id ${id}`),
    );
  }
  return one;
}
